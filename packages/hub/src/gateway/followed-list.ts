// Keeps what is defined here in step with what a server lists: looked at when the server is there, and again
// whenever it says that the list changed.
import { type Log, type Registration, LiveError } from '@tidings/live';
import type { DefinitionList, ListedItems, Upstream } from '@tidings/track';

export interface FollowedListOptions<Kind extends DefinitionList> {
  upstream: Upstream;
  list: Kind;
  define(this: void, item: ListedItems[Kind]): Registration;
  log: Log;
}

interface Defined {
  text: string;
  registration: Registration;
}

export class FollowedList<Kind extends DefinitionList> {
  readonly #options: FollowedListOptions<Kind>;
  readonly #defined = new Map<string, Defined>();
  readonly #unfollow: () => void;
  #isLooking = false;
  #lookAgain = false;
  #isClosed = false;

  constructor(options: FollowedListOptions<Kind>) {
    this.#options = options;
    const { upstream, list } = options;
    this.#unfollow = upstream.onListChanged((changed) => {
      if (changed === list) void this.look();
    });
  }

  /** One look at a time; what changes meanwhile is looked at afterwards. */
  async look(): Promise<void> {
    this.#lookAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    while (this.#lookAgain && !this.#isClosed) {
      this.#lookAgain = false;
      await this.#lookOnce();
    }
    this.#isLooking = false;
  }

  close(): void {
    this.#isClosed = true;
    this.#unfollow();
    for (const { registration } of this.#defined.values()) registration.remove();
    this.#defined.clear();
  }

  async #lookOnce(): Promise<void> {
    const { upstream, list, log } = this.#options;
    try {
      const items = await upstream.list(list);
      if (!this.#isClosed) this.#apply(items);
    } catch (error) {
      // It is away, which its state says, and what is known of it stays. It is looked at again when it is back.
      if (error instanceof LiveError && error.code === 'UNAVAILABLE') return;
      log.warn({ error, server: upstream.id, list }, 'A list of a server could not be read.');
    }
  }

  #apply(items: readonly ListedItems[Kind][]): void {
    const { define, log } = this.#options;
    const listed = new Map(items.map((item) => [item.name, item]));
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
        this.#defined.set(name, { text, registration: define(item) });
      } catch (error) {
        log.warn({ error, name }, 'What a server lists cannot be passed on.');
      }
    }
  }
}
