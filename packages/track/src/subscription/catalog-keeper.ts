// Keeps a server's catalog, and knows when it has to be asked for again. A change that is told while it is
// being asked for makes it old again, so none is lost.
import type { Client } from '@modelcontextprotocol/client';
import { type Catalog, type CatalogChange, catalogChange, emptyCatalog, listCatalog } from './catalog.ts';

export class CatalogKeeper {
  #catalog: Catalog = emptyCatalog;
  /** What the last one listed; nothing before the first. */
  #before: ReadonlySet<string> | undefined;
  #isOld = true;

  /** `remembered` is what was listed when the tracker last ran, if it did. */
  constructor(remembered: ReadonlySet<string> | undefined) {
    this.#before = remembered;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  age(): void {
    this.#isOld = true;
  }

  /** Asks for the catalog if it is old. Says how it differs from the one before, if there was one. */
  async refresh(client: Client): Promise<CatalogChange | undefined> {
    if (!this.#isOld) return undefined;
    this.#isOld = false;
    try {
      const catalog = await listCatalog(client);
      const [before, after] = [this.#before, new Set(catalog.resources.keys())];
      this.#catalog = catalog;
      this.#before = after;
      return before === undefined ? undefined : catalogChange(before, after);
    } catch (error) {
      this.#isOld = true;
      throw error;
    }
  }
}
