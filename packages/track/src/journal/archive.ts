// What outlives the process: the journal, what is known of each resource, and the eras. Written in
// batches a few times a second, events before the hashes they go with: if the last batch is lost, the old
// hashes are still there, and healing finds the same changes again.
import { type Clock, LiveError, type Log, type Timer } from '@tidings/live';
import { type Store, openStore } from '@tidings/store';
import { z } from 'zod';
import type { RememberedEra } from '../connection/era-memory.ts';
import type { Known } from '../mirror/mirror.ts';
import { trackerEvent } from './event.ts';
import type { JournalEntry } from './journal.ts';
import { type ArchiveTables, migrations } from './archive-schema.ts';
import { DefinitionArchive, type RememberedDefinitions } from './definition-archive.ts';

export interface Remembered {
  events: readonly JournalEntry[];
  /** By server, by URI. */
  resources: ReadonlyMap<string, ReadonlyMap<string, Known>>;
  eras: ReadonlyMap<string, RememberedEra>;
  definitions: RememberedDefinitions;
}

export const nothingRemembered: Remembered = {
  events: [],
  resources: new Map(),
  eras: new Map(),
  definitions: new Map(),
};

export type ResourceState = { known: Known } | 'gone';

const writeEveryMs = 250;
const rowsPerStatement = 200;
const clearEvery = 100;

export class Archive {
  readonly #store: Store<ArchiveTables>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #keep: number;
  #events: JournalEntry[] = [];
  readonly #resources = new Map<string, { server: string; uri: string; state: ResourceState }>();
  readonly #eras = new Map<string, RememberedEra>();
  readonly #definitions: DefinitionArchive;
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();
  #batches = 0;
  #isFailing = false;

  private constructor(store: Store<ArchiveTables>, clock: Clock, log: Log, keep: number) {
    this.#store = store;
    this.#definitions = new DefinitionArchive(store);
    this.#clock = clock;
    this.#log = log;
    this.#keep = keep;
  }

  /** `place` is a data folder or a postgres:// URL. */
  static async open(place: string, options: { clock: Clock; log: Log; keep: number }): Promise<Archive> {
    const { clock, log, keep } = options;
    const store = await openStore<ArchiveTables>(place, { name: 'tracker', migrations, log, clock });
    return new Archive(store, clock, log, keep);
  }

  async load(): Promise<Remembered> {
    const { db } = this.#store;
    const events = await db.selectFrom('event').selectAll().orderBy('position', 'desc').limit(this.#keep).execute();
    const rows = await db.selectFrom('resource').selectAll().execute();
    const resources = new Map<string, Map<string, Known>>();
    for (const { server, uri, hash } of rows) {
      const known = resources.get(server) ?? new Map<string, Known>();
      known.set(uri, knownOf(hash));
      resources.set(server, known);
    }
    const eras = await db.selectFrom('era').selectAll().execute();
    return {
      events: events.toReversed().flatMap(readEvent),
      resources,
      definitions: await this.#definitions.load(),
      eras: new Map(eras.map(({ address, era, at }) => [address, { era, at: Date.parse(at) }])),
    };
  }

  event(entry: JournalEntry): void {
    this.#events.push(entry);
    if (this.#events.length > this.#keep) this.#events.shift();
    this.#later();
  }

  resource(server: string, uri: string, state: ResourceState): void {
    this.#resources.set(`${server} ${uri}`, { server, uri, state });
    this.#later();
  }

  era(address: string, era: RememberedEra): void {
    this.#eras.set(address, era);
    this.#later();
  }

  definitions(change: (definitions: DefinitionArchive) => void): void {
    change(this.#definitions);
    this.#later();
  }

  /** Resolves when everything so far is written; rejects where it cannot be. */
  async flush(): Promise<void> {
    await this.#writeNext();
    if (!this.#isFailing) return;
    throw new LiveError('DATABASE_ERROR', 'This could not be written, so it may be forgotten: the log says why.');
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    await this.#writeNext();
    await this.#store.close();
  }

  #later(): void {
    this.#timer ??= this.#clock.after(writeEveryMs, () => {
      void this.#writeNext().finally(() => {
        this.#timer = undefined;
        const waiting = this.#events.length + this.#resources.size + this.#eras.size;
        if (waiting > 0 || !this.#definitions.isWritten) this.#later();
      });
    });
  }

  /** One after the other: two at a time would write the same. */
  #writeNext(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** What cannot be written stays for the next time. */
  async #write(): Promise<void> {
    try {
      await this.#writeEvents();
      await this.#writeResources();
      await this.#definitions.write();
      await this.#writeEras();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#log.error({ error }, 'The journal could not be written; trying again.');
      this.#isFailing = true;
    }
  }

  async #writeEvents(): Promise<void> {
    while (this.#events.length > 0) {
      const part = this.#events.slice(0, rowsPerStatement);
      const rows = part.map(({ cursor, json }) => ({ cursor, json }));
      await this.#store.write(async ({ db }) => {
        await db.insertInto('event').values(rows).execute();
        this.#batches += 1;
        if (this.#batches % clearEvery !== 0) return;
        const newest = await db.selectFrom('event').select('position').orderBy('position', 'desc').executeTakeFirst();
        if (newest)
          await db
            .deleteFrom('event')
            .where('position', '<=', newest.position - this.#keep)
            .execute();
      });
      const written = new Set(part);
      this.#events = this.#events.filter((entry) => !written.has(entry));
    }
  }

  async #writeResources(): Promise<void> {
    while (this.#resources.size > 0) {
      const part = [...this.#resources].slice(0, rowsPerStatement);
      const kept = part.flatMap(([, { server, uri, state }]) =>
        state === 'gone' ? [] : [{ server, uri, hash: hashOf(state.known) }],
      );
      const gone = part.map(([, each]) => each).filter(({ state }) => state === 'gone');
      await this.#store.write(async ({ db }) => {
        if (kept.length > 0) {
          await db
            .insertInto('resource')
            .values(kept)
            .onConflict((conflict) =>
              conflict.columns(['server', 'uri']).doUpdateSet((row) => ({ hash: row.ref('excluded.hash') })),
            )
            .execute();
        }
        for (const { server, uri } of gone) {
          await db.deleteFrom('resource').where('server', '=', server).where('uri', '=', uri).execute();
        }
      });
      // What changed again meanwhile is written the next time.
      for (const [key, each] of part) if (this.#resources.get(key) === each) this.#resources.delete(key);
    }
  }

  async #writeEras(): Promise<void> {
    for (const [address, { era, at }] of this.#eras) {
      await this.#store.write(async ({ db }) => {
        await db
          .insertInto('era')
          .values({ address, era, at: new Date(at).toISOString() })
          .onConflict((conflict) => conflict.column('address').doUpdateSet({ era, at: new Date(at).toISOString() }))
          .execute();
      });
      this.#eras.delete(address);
    }
  }
}

/** The column holds a hash, nothing where it never had one, and a mark where it changed since. */
const changedMark = '';
const hashOf = (known: Known) => (known === null ? changedMark : (known ?? null));
const knownOf = (hash: string | null): Known => (hash === changedMark ? null : (hash ?? undefined));

const rowSchema = z.object({ cursor: z.string(), json: z.string() });

/** What a newer program wrote may be of a kind this one does not know. */
function readEvent(row: unknown): JournalEntry[] {
  const { cursor, json } = rowSchema.parse(row);
  const event = trackerEvent.safeParse(JSON.parse(json));
  return event.success ? [{ cursor, json, event: event.data }] : [];
}
