// Imports vCons from files, folders and streams. Memory is bounded for any size; valid documents are imported even if
// others are invalid; an interrupted import continues where it stopped.
import { type Readable, addAbortSignal } from 'node:stream';
import { LiveError } from '@tidings/live';
import type { Accepted } from '../model/accept.ts';
import type { Library } from '../source/library.ts';
import { ImportBatch } from './import-batch.ts';
import { positionIn } from './import-positions.ts';
import {
  type ImportCounts,
  type ImportProblem,
  ImportReport,
  type WarningKind,
  type ImportedLine,
} from './import-report.ts';
import {
  type OpenSourceOptions,
  type OpenSource,
  UnreadableSource,
  openFile,
  openStream,
  wordsFor,
} from './open-source.ts';
import { refuseOtherJson } from './other-json.ts';
import type { Piece } from './piece.ts';
import { type ImportedDocument, readPiece } from './read-piece.ts';
import type { RemoteDocument, RemoteSource } from './remote-source.ts';
import { type SourceFile, sourceFiles, totalSize } from './source-files.ts';

/** The path of a file or folder, a stream of JSONL under the name it has in reports, or another server. */
export type ImportSource = string | { name: string; stream: Readable } | RemoteSource;

export interface ImportOptions {
  /** Replace existing vCons that have other content. */
  replace?: boolean;
  /** Refuse documents that deviate from the standard. */
  strict?: boolean;
  /** Ends the import after the current batch. */
  signal?: AbortSignal;
  /** How many problems the result lists. Default: 100. */
  listProblems?: number;
  onProblem?(this: void, problem: ImportProblem): void;
  onProgress?(this: void, progress: ImportProgress): void;
  limits?: Partial<ImportLimits>;
}

interface ImportLimits {
  /** The size limit of a document; a larger one is skipped without being loaded. Default: 64 MB. */
  documentBytes: number;
  /** When a batch is written. Default: 300 documents, or 4 MB. */
  batchDocuments: number;
  batchBytes: number;
}

export interface ImportProgress {
  documents: number;
  bytes: number;
  /** Undefined for a stream. */
  totalBytes: number | undefined;
  /** Some servers report it. */
  totalDocuments: number | undefined;
}

export interface ImportResult {
  outcome: 'complete' | 'stopped' | 'failed';
  counts: ImportCounts;
  /** The first ones. */
  problems: ImportProblem[];
  warnings: WarningKind[];
  /** Files that an earlier import had read up to this line. */
  resumed: ImportedLine[];
  /** Why the import failed. The counted documents are stored nevertheless. */
  failure?: unknown;
}

const defaults: ImportLimits = { documentBytes: 64_000_000, batchDocuments: 300, batchBytes: 4_000_000 };

/** A repeated import changes nothing. */
export async function importVcons(
  library: Library,
  sources: readonly ImportSource[],
  options: ImportOptions = {},
): Promise<ImportResult> {
  const importing = new VconImport(library, options);
  const end = await importing.run(sources).catch((failure: unknown) => ({ outcome: 'failed' as const, failure }));
  const { counts, problems, warnings } = importing.report;
  return { ...end, counts, problems, warnings, resumed: importing.resumed };
}

class VconImport {
  readonly report: ImportReport;
  readonly resumed: ImportedLine[] = [];
  readonly #library: Library;
  readonly #options: ImportOptions;
  readonly #batch: ImportBatch;
  readonly #opening: OpenSourceOptions;
  #bytesOfFiles = 0;
  #bytesOfFile = 0;
  #totalBytes: number | undefined;
  #totalDocuments: number | undefined;
  #signed: { accepted: Accepted; where: ImportedLine }[] = [];

  constructor(library: Library, options: ImportOptions) {
    const { replace = false, strict = false, listProblems = 100, onProblem = () => {} } = options;
    const limits = { ...defaults, ...options.limits };
    this.#library = library;
    this.#options = options;
    this.report = new ImportReport(listProblems, onProblem);
    this.#batch = new ImportBatch(library, { documents: limits.batchDocuments, bytes: limits.batchBytes }, { replace });
    this.#opening = {
      documentBytes: limits.documentBytes,
      purpose: `${replace ? 'replace' : 'keep'}/${strict ? 'strict' : 'lenient'}`,
      positionOf: (key) => positionIn(library, key),
    };
  }

  async run(sources: readonly ImportSource[]): Promise<Pick<ImportResult, 'outcome'>> {
    if (this.#options.onProgress) this.#totalBytes = await totalBytes(sources);
    for (const source of sources) {
      if (typeof source === 'string') await this.#path(source);
      else if ('stream' in source) await this.#stream(source);
      else await this.#remote(source);
    }
    await this.#write();
    return { outcome: this.#isStopped ? 'stopped' : 'complete' };
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted ?? false;
  }

  async #path(path: string): Promise<void> {
    const failed = (source: string, error: unknown) => this.report.bad({ source, reason: wordsFor(error) });
    for await (const file of sourceFiles([path], failed)) {
      if (this.#isStopped) return;
      await this.#readable(file.path, () => this.#file(file));
    }
  }

  async #file(file: SourceFile): Promise<void> {
    const source = await openFile(file, this.#opening);
    await this.#documents(file.path, source);
    this.#bytesOfFiles += file.size;
    this.#bytesOfFile = 0;
  }

  async #stream({ name, stream }: { name: string; stream: Readable }): Promise<void> {
    const { signal } = this.#options;
    // An iteration that waits for the stream would not notice the abort.
    if (signal) addAbortSignal(signal, stream);
    await this.#readable(name, () => this.#documents(name, openStream(stream, this.#opening)));
  }

  /** A read error ends the import: the documents read so far are written, and the next import continues after them. */
  async #remote(source: RemoteSource): Promise<void> {
    const { name } = source;
    const { purpose, positionOf } = this.#opening;
    if (this.#options.onProgress) this.#totalDocuments = await source.count();
    const position = await positionOf(name);
    const from = position?.fingerprint === purpose ? position : undefined;
    if (position) this.#batch.isKnown(name);
    let lines = from?.lines ?? 0;
    if (lines > 0) this.resumed.push({ source: name, line: lines });
    try {
      for await (const { documents, cursor } of source.pages(from?.cursor ?? undefined)) {
        for (const document of documents) {
          lines += 1;
          this.#received(document, { source: name, line: lines });
        }
        this.#batch.reach(name, { fingerprint: purpose, bytes: this.#bytesOfFile, lines, cursor });
        if (this.#batch.isFull) await this.#write();
        if (this.#isStopped) return;
      }
    } catch (error) {
      await this.#write();
      throw error;
    }
    this.#batch.forget(name);
  }

  #received(document: RemoteDocument, where: ImportedLine): void {
    if ('problem' in document) {
      this.report.bad({ ...where, reason: document.problem });
      return;
    }
    this.#bytesOfFile += document.bytes;
    this.#attempt(where, () => this.#accept({ value: document.value, lists: {}, warnings: [] }, where, document.bytes));
  }

  /** An unreadable source is reported, and the others are still read. */
  async #readable(source: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof UnreadableSource)) throw error;
      if (!this.#isStopped) this.report.bad({ source, reason: error.message });
    }
  }

  async #documents(name: string, source: OpenSource): Promise<void> {
    const { pieces, from, key, isKnown } = source;
    if (key !== undefined && isKnown) this.#batch.isKnown(key);
    if (from.lines > 0) this.resumed.push({ source: name, line: from.lines });
    // Many at a time: awaiting each document would take as long as reading it.
    for await (const some of pieces) {
      const last = await this.#takeAll(some, name, source);
      if (this.#isStopped) return;
      if (last?.isLast) break;
    }
    if (key !== undefined) this.#batch.forget(key);
  }

  /** Returns the last document that was taken. */
  async #takeAll(pieces: Iterable<Piece>, name: string, { key, fingerprint }: OpenSource): Promise<Piece | undefined> {
    let last: Piece | undefined;
    for (const piece of pieces) {
      if (this.#isStopped) break;
      this.#take(piece, name);
      this.#bytesOfFile = piece.after.bytes;
      if (key !== undefined) this.#batch.reach(key, { fingerprint, ...piece.after, cursor: null });
      if (this.#batch.isFull) await this.#write();
      last = piece;
      if (piece.isLast) break;
    }
    return last;
  }

  #take(piece: Piece, source: string): void {
    const reading = readPiece(piece);
    if (reading.kind === 'nothing') return;
    const where = { source, line: reading.line };
    if (reading.kind === 'fault') {
      this.report.bad({ ...where, reason: reading.reason });
      return;
    }
    const bytes = piece.bytes?.length ?? 0;
    this.#attempt(where, () => this.#accept(reading, where, bytes));
  }

  #attempt(where: ImportedLine, take: () => void): void {
    try {
      take();
    } catch (error) {
      if (!(error instanceof LiveError)) throw error;
      this.report.bad({ ...where, reason: error.message });
    }
  }

  #accept({ value, lists, warnings }: ImportedDocument, where: ImportedLine, bytes: number): void {
    const { strict } = this.#options;
    const [warning] = warnings;
    if (strict && warning !== undefined) throw new LiveError('INVALID_PARAMS', warning);
    const accepted = this.#library.accept(value, { strict });
    refuseOtherJson(accepted.form, value);
    this.report.warned([...warnings, ...accepted.warnings], where);
    if (accepted.form === 'signed') this.#signed.push({ accepted, where });
    this.#batch.add({ ...where, vcon: this.#library.prepare(accepted, lists) }, bytes);
  }

  /** Verifies the signed documents of a batch before it is written: accepting a document does not wait for that. */
  async #verify(): Promise<void> {
    const signed = this.#signed;
    this.#signed = [];
    for (const { accepted, where } of signed) {
      this.report.warned(await this.#library.signatureWarnings(accepted), where);
    }
  }

  async #write(): Promise<void> {
    await this.#verify();
    for (const written of await this.#batch.write()) {
      const { source, line, vcon } = written.entry;
      if ('outcome' in written) this.report.outcome(written.outcome, vcon.row.uuid, { source, line });
      else this.report.bad({ source, line, reason: written.refusal });
    }
    this.#options.onProgress?.({
      documents: this.report.documents,
      bytes: this.#bytesOfFiles + this.#bytesOfFile,
      totalBytes: this.#totalBytes,
      totalDocuments: this.#totalDocuments,
    });
  }
}

async function totalBytes(sources: readonly ImportSource[]): Promise<number | undefined> {
  const paths = sources.filter((source) => typeof source === 'string');
  return paths.length < sources.length ? undefined : totalSize(paths);
}
