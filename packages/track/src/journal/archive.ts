// The state on disk: the journal, what its readers were told of each resource, and the eras. Written in batches a few
// times a second, each in one transaction: an event and the state it reports are stored together, so a change whose
// event is lost in a crash is found again by healing.
import { type Clock, LiveError, type Log, type Timer } from '@tidings/live';
import { Rerun, eventLoopTurn } from '@tidings/live/time';
import type { Store, Writing } from '@tidings/store';
import { sql } from 'kysely';
import { type Claim, claimsIn } from '../cluster/lease-table.ts';
import type { RememberedEra } from '../connection/open/era-memory.ts';
import type { JournalEntry } from './journal.ts';
import { type ArchiveBatch, PendingBatch, type ResourceRow } from './archive-batch.ts';
import type { ArchiveTables } from './archive-schema.ts';
import { ArchiveRows, readTrackedResources, writeEras } from './archive-statements.ts';
import { DefinitionArchive } from './definition-archive.ts';
import type { Remembered } from './remembered.ts';
import { positionOf, readEvent } from './stored-event.ts';

interface ArchiveStores {
  store: Store<ArchiveTables>;
  /** The store of definitions, which trackers with journals of their own share. */
  definitions: Store<ArchiveTables>;
}

interface ArchiveOptions {
  clock: Clock;
  log: Log;
  keep: number;
  /** Whether other nodes wait for written events. */
  isShared: boolean;
  /** Called when this node tried to write as the owner of a server that it has lost. */
  fenced?(this: void): void;
}

const writeEveryMs = 250;
/** Short, because other nodes wait; long enough to write the events of one turn together. */
const sharedWriteMs = 2;
/** The topic that is announced when events were stored. */
export const journalTopic = 'tidings:journal';
const clearEvery = 100;

export class Archive {
  readonly #store: Store<ArchiveTables>;
  readonly #options: ArchiveOptions;
  readonly #rows: ArchiveRows;
  readonly #pending: PendingBatch;
  readonly #definitions: DefinitionArchive;
  #timer: Timer | undefined;
  readonly #writing = new Rerun(() => this.#write());
  #batches = 0;
  #isFailing = false;
  #isClosed = false;

  constructor({ store, definitions }: ArchiveStores, options: ArchiveOptions) {
    this.#store = store;
    this.#rows = new ArchiveRows(store);
    this.#definitions = new DefinitionArchive(definitions);
    this.#options = options;
    this.#pending = new PendingBatch(options.keep);
  }

  async load(): Promise<Remembered> {
    const { db } = this.#store;
    const newest = db.selectFrom('event').selectAll().orderBy('position', 'desc').limit(this.#options.keep);
    const events = await newest.execute();
    const eras = await db.selectFrom('era').selectAll().execute();
    return {
      events: events.toReversed().flatMap(readEvent),
      position: positionOf(events[0]),
      resources: await readTrackedResources(this.#store),
      definitions: await this.#definitions.load(),
      eras: new Map(
        eras.map(({ address, era, at, asks }) => [address, { era, at: Date.parse(at), sendsRequests: asks === 1 }]),
      ),
    };
  }

  /** The stored state of one server, written by any node. */
  async loadServer(server: string): Promise<Pick<Remembered, 'resources' | 'definitions'>> {
    return {
      resources: await readTrackedResources(this.#store, server),
      definitions: await this.#definitions.load(server),
    };
  }

  event(entry: JournalEntry, claim?: Claim): void {
    this.#pending.event(entry, claim);
    this.#later();
  }

  resource(row: ResourceRow): void {
    this.#pending.resource(row);
    this.#later();
  }

  /** Deletes the rows of this server's resources. */
  server(server: string, claim?: Claim): void {
    this.#pending.server(server, claim);
    this.#later();
  }

  era(address: string, era: RememberedEra): void {
    this.#pending.era(address, era);
    this.#later();
  }

  definitions(change: (definitions: DefinitionArchive) => void): void {
    change(this.#definitions);
    this.#later();
  }

  /** Resolves when everything so far is written; rejects if that fails. */
  async flush(): Promise<void> {
    await this.#writing.request();
    if (!this.#isFailing) return;
    throw new LiveError(
      'DATABASE_ERROR',
      'The change could not be stored and may be lost at a restart: the log says why.',
    );
  }

  /** Writes the last batch. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#writing.request();
  }

  /** A `Later` would not do: this timer stays set until its batch is written, which leaves a slow disk pauses. */
  #later(): void {
    // Also after a write that was under way at the end and failed: the store is closed.
    if (this.#isClosed) return;
    const { clock, isShared } = this.#options;
    this.#timer ??= clock.after(isShared && !this.#isFailing ? sharedWriteMs : writeEveryMs, () => {
      void this.#writing.request().finally(() => {
        this.#timer = undefined;
        if (!this.#pending.isEmpty || !this.#definitions.isWritten) this.#later();
      });
    });
  }

  /** Rows that could not be written stay for the next batch. */
  async #write(): Promise<void> {
    const batch = this.#pending.rows;
    try {
      const isWhole = this.#pending.isEmpty || (await this.#store.write((writing) => this.#writeBatch(writing, batch)));
      this.#pending.written(batch);
      if (!isWhole) this.#options.fenced?.();
      await this.#definitions.write();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.log.error({ err: error }, 'The journal could not be written; trying again.');
      this.#isFailing = true;
      return;
    }
    await this.#clear();
  }

  /** Deletes the oldest events now and then. */
  async #clear(): Promise<void> {
    this.#batches += 1;
    if (this.#batches % clearEvery !== 0) return;
    try {
      await this.#store.write(async ({ db }) => {
        const newest = await db.selectFrom('event').select('position').orderBy('position', 'desc').executeTakeFirst();
        const last = positionOf(newest) - this.#options.keep;
        await db.deleteFrom('event').where('position', '<=', last).execute();
      });
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Old events of the journal could not be removed; trying again later.');
    }
  }

  /** Resolves with whether all its events were written. */
  async #writeBatch(writing: Writing<ArchiveTables>, batch: ArchiveBatch): Promise<boolean> {
    const { isShared } = this.#options;
    const { db, announce } = writing;
    // Under a lock, so that positions are in commit order: a reader at a position has everything before it.
    if (isShared) await sql`select pg_advisory_xact_lock(hashtext('tidings journal'))`.execute(db);
    const rows = [...batch.events, ...batch.resources.values()].map(({ claim }) => claim);
    // Rows of a node that is no longer the owner are left out: the new owner finds these changes by healing.
    const isValid = await claimsIn(db, [...rows, ...batch.servers.values()]);
    const events = batch.events.filter(({ claim }) => isValid(claim)).map(({ entry }) => entry);
    await this.#rows.writeEvents(writing, events);
    // Lets updates that have just arrived run first: each part takes almost a millisecond on SQLite.
    await eventLoopTurn();
    for (const [server, claim] of batch.servers) {
      if (isValid(claim)) await db.deleteFrom('resource').where('server', '=', server).execute();
    }
    await this.#rows.writeResources(
      writing,
      [...batch.resources.values()].filter(({ claim }) => isValid(claim)),
    );
    await writeEras(writing, batch.eras);
    await eventLoopTurn();
    if (isShared && events.length > 0) announce(journalTopic);
    return events.length === batch.events.length;
  }
}
