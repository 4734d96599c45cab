// Rows that wait to be written to the archive. A resource or an era has one row, the latest; events are kept in order.
import type { Claim } from '../cluster/lease-table.ts';
import type { RememberedEra } from '../connection/open/era-memory.ts';
import type { RememberedResource } from '../mirror/resource-record.ts';
import type { JournalEntry } from './journal.ts';

type ResourceState = RememberedResource | 'gone';

export interface ArchiveBatch {
  events: readonly EventRow[];
  /** Servers whose rows are deleted; later rows in the same batch are kept. */
  servers: ReadonlyMap<string, Claim | undefined>;
  resources: ReadonlyMap<string, ResourceRow>;
  eras: ReadonlyMap<string, RememberedEra>;
}

export interface EventRow {
  entry: JournalEntry;
  claim: Claim | undefined;
}

export interface ResourceRow {
  server: string;
  uri: string;
  state: ResourceState;
  /** In a cluster, the row is written only while this holds. */
  claim: Claim | undefined;
}

/** `keep`: how many events may wait. */
export class PendingBatch {
  readonly #keep: number;
  #events: EventRow[] = [];
  readonly #resources = new Map<string, ResourceRow>();
  readonly #eras = new Map<string, RememberedEra>();
  readonly #servers = new Map<string, Claim | undefined>();

  constructor(keep: number) {
    this.#keep = keep;
  }

  get isEmpty(): boolean {
    return this.#events.length + this.#resources.size + this.#eras.size + this.#servers.size === 0;
  }

  event(entry: JournalEntry, claim: Claim | undefined): void {
    this.#events.push({ entry, claim });
    const [dropped, oldest] = this.#events;
    // The database has not answered for long, and events were dropped: readers get a gap.
    if (this.#events.length > this.#keep && dropped && oldest) {
      this.#events.splice(0, 2, { entry: gapInPlaceOf(oldest.entry), claim: undefined });
    }
  }

  resource(row: ResourceRow): void {
    this.#resources.set(`${row.server} ${row.uri}`, row);
  }

  /** Deletes the rows of this server's resources. */
  server(server: string, claim: Claim | undefined): void {
    for (const [key, row] of this.#resources) if (row.server === server) this.#resources.delete(key);
    this.#servers.set(server, claim);
  }

  era(address: string, era: RememberedEra): void {
    this.#eras.set(address, era);
  }

  /** A copy of everything that waits. */
  get rows(): ArchiveBatch {
    return {
      events: [...this.#events],
      servers: new Map(this.#servers),
      resources: new Map(this.#resources),
      eras: new Map(this.#eras),
    };
  }

  /** Rows that changed during the write stay for the next batch. */
  written(batch: ArchiveBatch): void {
    const written = new Set(batch.events);
    this.#events = this.#events.filter((entry) => !written.has(entry));
    for (const server of batch.servers.keys()) this.#servers.delete(server);
    for (const [key, row] of batch.resources) if (this.#resources.get(key) === row) this.#resources.delete(key);
    for (const [address, era] of batch.eras) if (this.#eras.get(address) === era) this.#eras.delete(address);
  }
}

function gapInPlaceOf({ cursor, event: { timestamp } }: JournalEntry): JournalEntry {
  const event = { type: 'gap' as const, timestamp };
  return { cursor, event, json: JSON.stringify(event) };
}
