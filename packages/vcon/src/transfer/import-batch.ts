// Documents that are written in one transaction, with one announcement and the positions in their files.
import { isDeepStrictEqual } from 'node:util';
import { LiveError } from '@tidings/live';
import type { Library } from '../source/library.ts';
import type { NewVcon } from '../source/new-vcon.ts';
import { documentColumns, parsedDocument } from '../source/row.ts';
import type { WriteOutcome } from '../source/writes.ts';
import { type ImportPosition, keepPosition } from './import-positions.ts';
import type { ImportedLine } from './import-report.ts';

interface BatchEntry extends ImportedLine {
  vcon: NewVcon;
}

interface BatchLimits {
  documents: number;
  bytes: number;
}

export type Written = { entry: BatchEntry; outcome: WriteOutcome } | { entry: BatchEntry; refusal: string };

export class ImportBatch {
  readonly #library: Library;
  readonly #limits: BatchLimits;
  readonly #options: { replace: boolean };
  #entries: BatchEntry[] = [];
  #bytes = 0;
  #positions = new Map<string, ImportPosition | undefined>();
  /** Files that have a stored position. */
  readonly #kept = new Set<string>();

  constructor(library: Library, limits: BatchLimits, options: { replace: boolean }) {
    this.#library = library;
    this.#limits = limits;
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#entries.length >= this.#limits.documents || this.#bytes >= this.#limits.bytes;
  }

  add(entry: BatchEntry, bytes: number): void {
    this.#entries.push(entry);
    this.#bytes += bytes;
  }

  /** Everything before this position is in this batch or an earlier one. */
  reach(source: string, position: ImportPosition): void {
    this.#positions.set(source, position);
  }

  /** Records that this file has a stored position from an earlier import. */
  isKnown(source: string): void {
    this.#kept.add(source);
  }

  /** Removes the position of a file that was read to its end. */
  forget(source: string): void {
    if (this.#kept.has(source)) this.#positions.set(source, undefined);
    else this.#positions.delete(source);
  }

  async write(): Promise<Written[]> {
    const [entries, positions] = [this.#entries, this.#positions];
    if (entries.length === 0 && positions.size === 0) return [];
    const written = await this.#writeTogether(entries, positions);
    for (const [source, position] of positions) {
      if (position === undefined) this.#kept.delete(source);
      else this.#kept.add(source);
    }
    this.#entries = [];
    this.#bytes = 0;
    this.#positions = new Map();
    return written;
  }

  async #writeTogether(entries: readonly BatchEntry[], positions: ReadonlyMap<string, ImportPosition | undefined>) {
    try {
      return await this.#put(entries, positions);
    } catch (error) {
      if (isAway(error)) throw error;
    }
    // The database works but refuses a document: write them one by one, to find and report it.
    const written: Written[] = [];
    for (const entry of entries) written.push(await this.#writeAlone(entry));
    await this.#put([], positions);
    return written;
  }

  async #writeAlone(entry: BatchEntry): Promise<Written> {
    try {
      const [written] = await this.#put([entry], new Map());
      return written ?? { entry, refusal: 'not written' };
    } catch (error) {
      if (isAway(error) || !(error instanceof Error)) throw error;
      return { entry, refusal: `the database refuses it: ${error.message}` };
    }
  }

  async #put(
    entries: readonly BatchEntry[],
    positions: ReadonlyMap<string, ImportPosition | undefined>,
  ): Promise<{ entry: BatchEntry; outcome: WriteOutcome }[]> {
    const documents = entries.map(({ vcon }) => vcon);
    const outcomes = await this.#library.putPrepared(documents, this.#options, async (db) => {
      for (const [source, position] of positions) await keepPosition(db, source, position);
    });
    const written: { entry: BatchEntry; outcome: WriteOutcome }[] = [];
    for (const [index, entry] of entries.entries()) {
      const outcome = outcomes[index] ?? 'conflict';
      const isSame = outcome === 'conflict' && (await this.#isThere(entry.vcon));
      written.push({ entry, outcome: isSame ? 'unchanged' : outcome });
    }
    return written;
  }

  /** Whether the stored document is the same: one that was imported without a uuid or a time has both in an export. */
  async #isThere({ row }: NewVcon): Promise<boolean> {
    const there = await this.#library.store.db
      .selectFrom('vcon')
      .select(documentColumns)
      .where('uuid', '=', row.uuid)
      .executeTakeFirst();
    return there !== undefined && isDeepStrictEqual(parsedDocument(there), parsedDocument(row));
  }
}

/** Whether the store is unavailable, which is not the fault of a document. */
function isAway(error: unknown): boolean {
  return error instanceof LiveError && error.code === 'DATABASE_ERROR';
}
