// All vCons. Reads go through a reader that redacts for its caller; writes are transactions that announce the changed
// resources.
import { type Bus, type ChangeFeed, type Clock, type Log, LiveError, stderrLog, systemClock } from '@tidings/live';
import { TimeSlice } from '@tidings/live/time';
import { openStore } from '@tidings/store';
import { type Accepted, accept } from '../model/accept.ts';
import type { JsonObject } from '../model/json.ts';
import type { Redaction } from '../model/redaction.ts';
import { NewVcon } from './new-vcon.ts';
import type { WrittenLists } from './row.ts';
import { type VconTables, type VconStore, type VconWriting, migrations } from './tables.ts';
import { VconQueries } from './vcon-queries.ts';
import { VconKeys } from './vcon-keys.ts';
import { VconReader } from './vcon-reader.ts';
import { vectorExtensions } from './vector-extension.ts';
import { VconInserts } from './vcon-inserts.ts';
import { type WriteOutcome, change, putAll, removeVcon } from './writes.ts';

interface LibraryOptions {
  clock?: Clock;
  log?: Log;
  /** Refuse documents that deviate from the standard. */
  strict?: boolean;
  /** Extensions that vCons may call critical. */
  extensions?: readonly string[];
  /** Wakes other processes instead of PostgreSQL. */
  bus?: Bus | undefined;
  /** A file with the keys that verify signed vCons and open encrypted ones: a JSON Web Key Set. */
  keysFile?: string | undefined;
}

export interface Created {
  uuid: string;
  isNew: boolean;
  warnings: readonly string[];
}

/** `place` is a data folder or a postgres:// URL. */
export async function openLibrary(place: string, options: LibraryOptions = {}): Promise<Library> {
  const { log = stderrLog, bus, keysFile } = options;
  const keys = keysFile === undefined ? new VconKeys() : VconKeys.fromFile(keysFile);
  const sqliteExtensions = vectorExtensions(log);
  const store = await openStore<VconTables>(place, {
    name: 'vcon',
    migrations,
    log,
    sqliteExtensions,
    ...(bus && { bus }),
  });
  return new Library(store, { ...options, keys });
}

export class Library {
  readonly store: VconStore;
  readonly #queries: VconQueries;
  readonly #inserts: VconInserts;
  readonly #clock: Clock;
  readonly #strict: boolean;
  readonly #extensions: readonly string[];
  readonly #keys: VconKeys;
  /** Shared by all readers: together they must not block longer than one. */
  readonly #slice = new TimeSlice(systemClock);

  /** On a store that is already open; closing the library closes it. */
  constructor(store: VconStore, options: Omit<LibraryOptions, 'keysFile'> & { keys?: VconKeys } = {}) {
    const { clock = systemClock, strict = false, extensions = [], keys = new VconKeys() } = options;
    this.store = store;
    this.#queries = new VconQueries(store.db);
    this.#inserts = new VconInserts(store);
    this.#clock = clock;
    this.#strict = strict;
    this.#extensions = extensions;
    this.#keys = keys;
  }

  get feed(): ChangeFeed {
    return this.store.feed;
  }

  reader(redaction: Redaction | undefined, budget: number): VconReader {
    return new VconReader(this.#queries, redaction, budget, this.#keys, this.#slice);
  }

  /** Checks a document from outside; throws INVALID_PARAMS with what is wrong. */
  accept(document: unknown, { strict = this.#strict, isNew = false } = {}): Accepted {
    return accept(document, { now: this.#now(), strict, isNew, extensions: this.#extensions });
  }

  /** The row and index entries to write. */
  prepare(accepted: Accepted, written?: WrittenLists): NewVcon {
    return new NewVcon(this.store.engine, accepted, written);
  }

  /** Warnings about the signature of an imported document. */
  async signatureWarnings({ form, document }: Accepted): Promise<string[]> {
    if (form !== 'signed' || this.#keys.isEmpty) return [];
    const signature = await this.#keys.verify(document);
    return signature === 'valid' ? [] : [`signatures: ${signatureProblems[signature]}`];
  }

  /** Importing the same document again changes nothing; another one with its uuid is refused. */
  async create(fields: JsonObject): Promise<Created> {
    const accepted = this.accept(fields, { isNew: true });
    const [outcome] = await this.putAll([accepted], { replace: false });
    if (outcome === 'conflict') throw taken(accepted.uuid);
    const warnings = [...accepted.warnings, ...(await this.signatureWarnings(accepted))];
    return { uuid: accepted.uuid, isNew: outcome === 'created', warnings };
  }

  /** Many at once: one transaction, announced together. */
  async putAll(batch: readonly Accepted[], options: { replace: boolean }): Promise<WriteOutcome[]> {
    return this.putPrepared(
      batch.map((accepted) => this.prepare(accepted)),
      options,
    );
  }

  /** `also` runs in the same transaction. */
  async putPrepared(
    batch: readonly NewVcon[],
    options: { replace: boolean },
    also?: (db: VconWriting['db']) => Promise<unknown>,
  ): Promise<WriteOutcome[]> {
    return this.store.write(async (writing) => {
      const outcomes = await putAll(writing, this.#inserts, batch, options);
      await also?.(writing.db);
      return outcomes;
    });
  }

  /** `edit` must be pure: it may run more than once. */
  async change<T>(uuid: string, edit: (document: JsonObject) => { document: JsonObject; result: T }) {
    const options = { now: this.#now(), extensions: this.#extensions, strict: this.#strict };
    return this.store.write((writing) => change(writing, this.#inserts, uuid, options, edit));
  }

  async remove(uuid: string): Promise<void> {
    await this.store.write((writing) => removeVcon(writing, this.store.engine, uuid));
  }

  close(): Promise<void> {
    return this.store.close();
  }

  #now(): Date {
    return new Date(this.#clock.date());
  }
}

const signatureProblems = {
  invalid: 'invalid, so it was changed after it was signed, or signed by another',
  'unknown key': 'made with a key that is not known here',
};

function taken(uuid: string): LiveError {
  return new LiveError(
    'INVALID_PARAMS',
    `There is another vCon with the UUID ${uuid}. Leave uuid out for a new one, or use update_vcon to change it.`,
  );
}
