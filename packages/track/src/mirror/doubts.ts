// The resources that may have changed without a notification, and must be compared with what listeners were told.
import type { ResourceRecord } from './resource-record.ts';

export class Doubts {
  readonly #records = new Set<ResourceRecord>();
  #count = 0;

  get records(): Iterable<ResourceRecord> {
    return this.#records;
  }

  /** Each doubt has its own number, so that a comparison does not settle a later doubt. */
  add(record: ResourceRecord): void {
    this.#count += 1;
    record.doubt = this.#count;
    this.#records.add(record);
  }

  /** The comparison that began under this doubt is done. */
  settle(record: ResourceRecord, doubt: number): void {
    if (record.doubt !== doubt) return;
    record.doubt = 0;
    this.#records.delete(record);
  }

  delete(record: ResourceRecord): void {
    this.#records.delete(record);
  }
}
