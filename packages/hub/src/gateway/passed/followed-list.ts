// Keeps the gateway's tools or prompts equal to those that a server offers.
import type { Log, Registration } from '@tidings/live';
import type { Upstream } from '@tidings/track';
import type { DefinedItems, DefinedList } from '@tidings/track/internal';

interface FollowedListOptions<List extends DefinedList> {
  upstream: Upstream;
  list: List;
  /** The names of the items on this gateway, by the server's own names. */
  namesOf(this: void, names: Iterable<string>): ReadonlyMap<string, string>;
  /** Whether the configuration includes the item. Default: always. */
  isChosen?(this: void, name: string): boolean;
  /** `name`: the item's name on this gateway. */
  define(this: void, item: DefinedItems[List], name: string): Registration;
  log: Log;
}

interface DefinedItem {
  text: string;
  registration: Registration;
}

export class FollowedList<List extends DefinedList> {
  readonly #options: FollowedListOptions<List>;
  readonly #defined = new Map<string, DefinedItem>();
  readonly #unfollow: () => void;

  constructor(options: FollowedListOptions<List>) {
    this.#options = options;
    this.#unfollow = options.upstream.definitions.follow(() => this.#apply());
    // The list may be known already, from another follower.
    this.#apply();
  }

  /** Call it when the configuration may have changed. */
  review(): void {
    this.#apply();
  }

  close(): void {
    this.#unfollow();
    for (const { registration } of this.#defined.values()) registration.remove();
    this.#defined.clear();
  }

  #apply(): void {
    const { upstream, list, namesOf, isChosen = () => true, define, log } = this.#options;
    const offered = upstream.definitions.offered(list).filter(({ name }) => isChosen(name));
    const listed = new Map(offered.map((item) => [item.name, item]));
    const names = namesOf(listed.keys());
    const texts = new Map([...listed].map(([name, item]) => [name, `${names.get(name)} ${JSON.stringify(item)}`]));
    // Removes first, because new definitions may take the names of removed ones.
    for (const [name, { text, registration }] of this.#defined) {
      if (texts.get(name) === text) continue;
      registration.remove();
      this.#defined.delete(name);
    }
    for (const [name, text] of texts) {
      const item = listed.get(name);
      if (item === undefined || this.#defined.has(name)) continue;
      try {
        // The SDK prints a warning for invalid names.
        if (/\p{C}/u.test(name)) throw new Error('Its name has control or invisible characters.');
        this.#defined.set(name, { text, registration: define(item, names.get(name) ?? name) });
      } catch (error) {
        log.warn({ err: error, name }, 'The list of a server cannot be passed on.');
      }
    }
  }
}
