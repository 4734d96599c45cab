// Keeps a server's catalog, and knows when it has to be asked for again and what of it has not been told
// yet. A change that comes while it is being asked for makes it old again, so none is lost.
import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { type Catalog, type CatalogChange, catalogChange, emptyCatalog, listCatalog } from './catalog.ts';
import { ListPace } from './list-pace.ts';
import { Spellings } from '../spellings.ts';

export class CatalogKeeper {
  readonly #clock: Clock;
  readonly #pace: ListPace;
  #catalog: Catalog = emptyCatalog;
  #spellings = new Spellings();
  /** What others know to be listed; nothing before the first catalog. */
  #told: ReadonlySet<string> | undefined;
  /** What was listed when that was last asked by `takeDifference`. */
  #taken: ReadonlySet<string> = new Set();
  #isOld = true;
  #isKnown = false;
  #sessions = 0;

  /** `remembered` is what was listed when the tracker last ran, if it did. */
  constructor(remembered: ReadonlySet<string> | undefined, clock: Clock) {
    this.#told = remembered;
    this.#clock = clock;
    this.#pace = new ListPace(clock);
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Whether there ever was one. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** What is listed, as far as that is known: before the first catalog what was listed when the tracker last ran. */
  get listed(): ReadonlyMap<string, unknown> {
    return this.#isKnown ? this.#catalog.resources : new Map([...(this.#told ?? [])].map((uri) => [uri, undefined]));
  }

  /** The listed URI that agents are shown as `plain`, where that is another one. */
  spelling(plain: string): string | undefined {
    return this.#catalog.resources.has(plain) ? undefined : this.#spellings.find(plain);
  }

  age(): void {
    this.#isOld = true;
  }

  /** Whatever was asked for so far was asked of another session: the next refresh is not held back. */
  begin(): void {
    this.#sessions += 1;
    this.#pace.reset();
    this.age();
  }

  /** Milliseconds until an old catalog may be asked for; nothing where it is not old. */
  get dueMs(): number | undefined {
    return this.#isOld ? this.#pace.waitMs : undefined;
  }

  /** Asks for the catalog if it is old and not asked for too often. Until then, a failure to read it remains one. */
  async refresh(client: Client): Promise<'not asked' | 'same' | 'other'> {
    if (!this.#isOld) return 'not asked';
    this.#pace.throwFailure();
    if (this.#pace.waitMs > 0) return 'not asked';
    this.#isOld = false;
    const session = this.#sessions;
    try {
      const before = this.#catalog;
      const catalog = await this.#pace.measure(() => listCatalog(client, this.#clock));
      // The answer to an earlier session may be older than what is known by now.
      if (session !== this.#sessions) return 'not asked';
      this.#catalog = catalog;
      this.#isKnown = true;
      if (this.#catalog.digest === before.digest) return 'same';
      this.#spellings = new Spellings(this.#catalog.resources.keys());
      return 'other';
    } catch (error) {
      if (session === this.#sessions) this.#isOld = true;
      throw error;
    }
  }

  /** How the catalog differs from what it was the last time. */
  takeDifference(): CatalogChange | undefined {
    const [before, now] = [this.#taken, new Set(this.#catalog.resources.keys())];
    this.#taken = now;
    return catalogChange(before, now);
  }

  /** How the catalog differs from what others know, who know it from now on. */
  takeChange(): CatalogChange | undefined {
    const [before, now] = [this.#told, new Set(this.#catalog.resources.keys())];
    this.#told = now;
    return before === undefined ? undefined : catalogChange(before, now);
  }
}
