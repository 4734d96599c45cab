// Keeps a server's catalog, and knows when it has to be asked for again and what of it has not been told
// yet. A change that comes while it is being asked for makes it old again, so none is lost.
import type { Client } from '@modelcontextprotocol/client';
import { type Catalog, type CatalogChange, catalogChange, emptyCatalog, listCatalog } from './catalog.ts';
import { Spellings } from './spellings.ts';

export class CatalogKeeper {
  #catalog: Catalog = emptyCatalog;
  #spellings = new Spellings();
  /** What others know to be listed; nothing before the first catalog. */
  #told: ReadonlySet<string> | undefined;
  #isOld = true;

  /** `remembered` is what was listed when the tracker last ran, if it did. */
  constructor(remembered: ReadonlySet<string> | undefined) {
    this.#told = remembered;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** The listed URI that agents are shown as `plain`, where that is another one. */
  spelling(plain: string): string | undefined {
    return this.#catalog.resources.has(plain) ? undefined : this.#spellings.find(plain);
  }

  age(): void {
    this.#isOld = true;
  }

  /** Asks for the catalog if it is old, and says whether that was so. */
  async refresh(client: Client): Promise<boolean> {
    if (!this.#isOld) return false;
    this.#isOld = false;
    try {
      this.#catalog = await listCatalog(client);
      this.#spellings = new Spellings(this.#catalog.resources.keys());
      return true;
    } catch (error) {
      this.#isOld = true;
      throw error;
    }
  }

  /** How the catalog differs from what others know, who know it from now on. */
  takeChange(): CatalogChange | undefined {
    const [before, now] = [this.#told, new Set(this.#catalog.resources.keys())];
    this.#told = now;
    return before === undefined ? undefined : catalogChange(before, now);
  }
}
