// Keeps the gateway's definitions equal to what a server offers.
import type { Log, Registration } from '@tidings/live';
import type { DefinedItems, DefinedList, Upstream } from '@tidings/track';

export interface FollowedListOptions<List extends DefinedList> {
  upstream: Upstream;
  list: List;
  define(this: void, item: DefinedItems[List]): Registration;
  log: Log;
}

interface Defined {
  text: string;
  registration: Registration;
}

export class FollowedList<List extends DefinedList> {
  readonly #options: FollowedListOptions<List>;
  readonly #defined = new Map<string, Defined>();
  readonly #unfollow: () => void;

  constructor(options: FollowedListOptions<List>) {
    this.#options = options;
    this.#unfollow = options.upstream.definitions.follow(() => this.#apply());
    // The list may be known already, from another follower.
    this.#apply();
  }

  close(): void {
    this.#unfollow();
    for (const { registration } of this.#defined.values()) registration.remove();
    this.#defined.clear();
  }

  #apply(): void {
    const { upstream, list, define, log } = this.#options;
    const listed = new Map(upstream.definitions.offered(list).map((item) => [item.name, item]));
    for (const [name, { registration }] of this.#defined) {
      if (listed.has(name)) continue;
      registration.remove();
      this.#defined.delete(name);
    }
    for (const [name, item] of listed) {
      const text = JSON.stringify(item);
      const before = this.#defined.get(name);
      if (before?.text === text) continue;
      before?.registration.remove();
      this.#defined.delete(name);
      try {
        // The SDK prints a warning for invalid names.
        if (/\p{C}/u.test(name)) throw new Error('Its name has control or invisible characters.');
        this.#defined.set(name, { text, registration: define(item) });
      } catch (error) {
        log.warn({ error, name }, 'What a server lists cannot be passed on.');
      }
    }
  }
}
