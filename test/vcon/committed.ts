// What is really in the database, read beside the server, from another process.
import type { Library } from '@tidings/vcon';

export class Committed {
  readonly #library: Library;

  constructor(library: Library) {
    this.#library = library;
  }

  /** The number in each vCon's subject. */
  async all(): Promise<Map<string, number>> {
    const rows = await this.#library.store.db.selectFrom('vcon').select(['uuid', 'subject']).execute();
    return new Map(rows.map(({ uuid, subject }) => [uuid, Number(JSON.parse(subject ?? 'null'))]));
  }

  async of(uuid: string): Promise<number> {
    return (await this.all()).get(uuid) ?? Number.NaN;
  }
}
