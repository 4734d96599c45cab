// All vCons: what is read, always through a reader that redacts for its caller; what is changed, always in
// transactions that announce what they made stale.
import { type ChangeFeed, type Clock, type Log, LiveError, stderrLog, systemClock } from '@tidings/live';
import { openStore } from '@tidings/store';
import { type Accepted, accept } from '../model/accept.ts';
import type { JsonObject } from '../model/json.ts';
import type { Redaction } from '../model/redaction.ts';
import { type Tables, type VconStore, migrations } from './tables.ts';
import { VconQueries } from './vcon-queries.ts';
import { VconReader } from './vcon-reader.ts';
import { vectorExtensions } from './vector-extension.ts';
import { type Outcome, change, put, remove } from './writes.ts';

export interface LibraryOptions {
  clock?: Clock;
  log?: Log;
  /** Refuse what is not exactly as the standard says. */
  strict?: boolean;
  /** Extensions that vCons may call critical. */
  extensions?: readonly string[];
}

export interface Created {
  uuid: string;
  isNew: boolean;
  warnings: readonly string[];
}

/** `place` is a data folder or a postgres:// URL. */
export async function openLibrary(place: string, options: LibraryOptions = {}): Promise<Library> {
  const { log = stderrLog } = options;
  const sqliteExtensions = vectorExtensions(log);
  const store = await openStore<Tables>(place, { name: 'vcon', migrations, log, sqliteExtensions });
  return new Library(store, options);
}

export class Library {
  readonly store: VconStore;
  readonly #queries: VconQueries;
  readonly #clock: Clock;
  readonly #strict: boolean;
  readonly #extensions: readonly string[];

  /** On a store that is already open; closing the library closes it. */
  constructor(store: VconStore, { clock = systemClock, strict = false, extensions = [] }: LibraryOptions = {}) {
    this.store = store;
    this.#queries = new VconQueries(store.db);
    this.#clock = clock;
    this.#strict = strict;
    this.#extensions = extensions;
  }

  get feed(): ChangeFeed {
    return this.store.feed;
  }

  reader(redaction: Redaction | undefined, budget: number): VconReader {
    return new VconReader(this.#queries, redaction, budget);
  }

  /** Checks a document from outside; throws INVALID_PARAMS with what is wrong. */
  accept(document: unknown, { strict = this.#strict, isNew = false } = {}): Accepted {
    return accept(document, { now: this.#now(), strict, isNew, extensions: this.#extensions });
  }

  /** The same document again changes nothing; another one with its uuid is refused. */
  async create(fields: JsonObject): Promise<Created> {
    const accepted = this.accept(fields, { isNew: true });
    const outcome = await this.store.write((writing) => put(writing, this.store.engine, accepted));
    if (outcome === 'conflict') throw taken(accepted.uuid);
    return { uuid: accepted.uuid, isNew: outcome === 'created', warnings: accepted.warnings };
  }

  /** Many at once: one transaction, announced together. `also` joins it. */
  async putAll(
    batch: readonly Accepted[],
    options: { replace: boolean },
    also?: (db: Parameters<Parameters<VconStore['write']>[0]>[0]['db']) => Promise<unknown>,
  ): Promise<Outcome[]> {
    return this.store.write(async (writing) => {
      const outcomes: Outcome[] = [];
      for (const accepted of batch) outcomes.push(await put(writing, this.store.engine, accepted, options));
      await also?.(writing.db);
      return outcomes;
    });
  }

  /** `edit` is pure; it may run again. */
  async change<T>(uuid: string, edit: (document: JsonObject) => { document: JsonObject; result: T }) {
    const { engine } = this.store;
    const options = { now: this.#now(), extensions: this.#extensions, strict: this.#strict };
    return this.store.write((writing) => change(writing, engine, uuid, options, edit));
  }

  async remove(uuid: string): Promise<void> {
    await this.store.write((writing) => remove(writing, this.store.engine, uuid));
  }

  close(): Promise<void> {
    return this.store.close();
  }

  #now(): Date {
    return new Date(this.#clock.date());
  }
}

function taken(uuid: string): LiveError {
  return new LiveError(
    'INVALID_PARAMS',
    `There is another vCon with the UUID ${uuid}. Leave uuid out for a new one, or use update_vcon to change it.`,
  );
}
