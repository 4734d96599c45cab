// Reads committed vCons directly from the database, in another process than the server.
import type { Library } from '@tidings/vcon';

export class Committed {
  readonly #library: Library;

  constructor(library: Library) {
    this.#library = library;
  }

  /** The number in the subject of each vCon. */
  async all(): Promise<Map<string, number>> {
    const rows = await this.#library.store.db.selectFrom('vcon').select(['uuid', 'subject']).execute();
    return new Map(rows.map(({ uuid, subject }) => [uuid, Number(JSON.parse(subject ?? 'null'))]));
  }

  async of(uuid: string): Promise<number> {
    return (await this.all()).get(uuid) ?? Number.NaN;
  }
}
