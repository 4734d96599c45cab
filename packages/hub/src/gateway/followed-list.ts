// Keeps the gateway's definitions equal to what a server offers.
import type { Log, Registration } from '@tidings/live';
import type { Upstream } from '@tidings/track';
import type { DefinedItems, DefinedList } from '@tidings/track/internal';

export interface FollowedListOptions<List extends DefinedList> {
  upstream: Upstream;
  list: List;
  /** The name of an item here. */
  nameOf(this: void, name: string): string;
  /** Whether the configuration wants it. Default: it does. */
  isChosen?(this: void, name: string): boolean;
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

  /** The configuration may have changed. */
  review(): void {
    this.#apply();
  }

  close(): void {
    this.#unfollow();
    for (const { registration } of this.#defined.values()) registration.remove();
    this.#defined.clear();
  }

  #apply(): void {
    const { upstream, list, nameOf, isChosen = () => true, define, log } = this.#options;
    const offered = upstream.definitions.offered(list).filter(({ name }) => isChosen(name));
    const listed = new Map(offered.map((item) => [item.name, item]));
    for (const [name, { registration }] of this.#defined) {
      if (listed.has(name)) continue;
      registration.remove();
      this.#defined.delete(name);
    }
    for (const [name, item] of listed) {
      const text = `${nameOf(name)} ${JSON.stringify(item)}`;
      const before = this.#defined.get(name);
      if (before?.text === text) continue;
      before?.registration.remove();
      this.#defined.delete(name);
      try {
        // The SDK prints a warning for invalid names.
        if (/\p{C}/u.test(name)) throw new Error('Its name has control or invisible characters.');
        this.#defined.set(name, { text, registration: define(item) });
      } catch (error) {
        log.warn({ err: error, name }, 'The list of a server cannot be passed on.');
      }
    }
  }
}
