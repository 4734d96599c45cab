// Keeps a server's catalog, and knows when it has to be read again and which changes have not been reported yet.
// A `list_changed` during a reading makes the catalog old again, so that none is lost.
import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { type Catalog, type CatalogChange, catalogChange, emptyCatalog, listCatalog } from './catalog.ts';
import { ListRateLimit } from './list-rate-limit.ts';
import { Spellings } from '../spellings.ts';

export class CatalogKeeper {
  readonly #clock: Clock;
  readonly #rateLimit: ListRateLimit;
  #catalog: Catalog = emptyCatalog;
  #lastKnown: Catalog;
  #spellings: Spellings;
  /** The URIs that were reported as listed; undefined before the first catalog. */
  #reported: ReadonlySet<string> | undefined;
  /** The URIs that were listed at the last call of `takeDifference`. */
  #taken: ReadonlySet<string> = new Set();
  #isOld = true;
  #isKnown = false;
  #sessions = 0;

  /** `earlier` is what the server listed, and was reported, when it was last tracked. */
  constructor(earlier: Catalog, clock: Clock) {
    const uris = new Set(earlier.resources.keys());
    this.#reported = uris.size > 0 ? uris : undefined;
    this.#lastKnown = earlier;
    this.#spellings = new Spellings(uris);
    this.#clock = clock;
    this.#rateLimit = new ListRateLimit(clock);
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Whether the catalog has been read at least once. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The catalog; before the first one, the earlier one. */
  get lastKnown(): Catalog {
    return this.#lastKnown;
  }

  /** The listed URI that agents are shown as `plain`, if it is a different one. */
  spelling(plain: string): string | undefined {
    return this.#lastKnown.resources.has(plain) ? undefined : this.#spellings.find(plain);
  }

  age(): void {
    this.#isOld = true;
  }

  /** There is a new session: the next refresh does not wait for the pause after the last one. */
  begin(): void {
    this.#sessions += 1;
    this.#rateLimit.reset();
    this.age();
  }

  /** Milliseconds until an old catalog may be read; undefined if it is not old. */
  get dueMs(): number | undefined {
    return this.#isOld ? this.#rateLimit.waitMs : undefined;
  }

  /**
   * Reads the catalog if it is old and was not read too recently. During the pause after a failure, throws that
   * failure again.
   */
  async refresh(client: Client): Promise<'not asked' | 'same' | 'other'> {
    if (!this.#isOld) return 'not asked';
    this.#rateLimit.throwFailure();
    if (this.#rateLimit.waitMs > 0) return 'not asked';
    this.#isOld = false;
    const session = this.#sessions;
    try {
      const before = this.#catalog;
      const hasListed = this.#lastKnown.resources.size > 0;
      const catalog = await this.#rateLimit.measure(() => listCatalog(client, this.#clock, hasListed));
      // The answer of an earlier session may be older than the present catalog.
      if (session !== this.#sessions) return 'not asked';
      this.#catalog = catalog;
      this.#lastKnown = catalog;
      this.#isKnown = true;
      if (this.#catalog.digest === before.digest) return 'same';
      this.#spellings = new Spellings(this.#catalog.resources.keys());
      return 'other';
    } catch (error) {
      if (session === this.#sessions) this.#isOld = true;
      throw error;
    }
  }

  /** How the catalog differs from the last call. */
  takeDifference(): CatalogChange | undefined {
    const [before, now] = [this.#taken, new Set(this.#catalog.resources.keys())];
    this.#taken = now;
    return catalogChange(before, now);
  }

  /** How the catalog differs from what was reported; from now on the present one counts as reported. */
  takeChange(): CatalogChange | undefined {
    const [before, now] = [this.#reported, new Set(this.#catalog.resources.keys())];
    this.#reported = now;
    return before === undefined ? undefined : catalogChange(before, now);
  }
}
