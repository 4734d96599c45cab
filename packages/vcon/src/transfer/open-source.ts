// An opened source: its documents one by one, from the position at which an earlier import stopped.
import { messageOf, systemCode } from '@tidings/live/portable';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { ImportPosition } from './import-positions.ts';
import { LineSplitter } from './line-splitter.ts';
import type { Piece, SourcePosition, Splitter } from './piece.ts';
import type { SourceFile } from './source-files.ts';
import { ValueSplitter } from './value-splitter.ts';

/** A failure to read the source, as opposed to a problem in its content. */
export class UnreadableSource extends Error {
  override readonly name = 'Unreadable';

  constructor(error: unknown) {
    super(wordsFor(error), { cause: error });
  }
}

export interface OpenSource {
  /** In groups: those that were read together. */
  pieces: AsyncIterable<Iterable<Piece>>;
  /** Where reading began. */
  from: SourcePosition;
  /** The key of the stored position; undefined for a source that cannot be read again. */
  key?: string;
  fingerprint: string;
  /** Whether a position is stored, even if the file has changed since. */
  isKnown: boolean;
}

export interface OpenSourceOptions {
  documentBytes: number;
  /** Part of the fingerprint, beside the file: an import with other options starts at the beginning. */
  purpose: string;
  positionOf(this: void, key: string): Promise<ImportPosition | undefined>;
}

const chunkBytes = 256 * 1024;
const beginning: SourcePosition = { bytes: 0, lines: 0 };
const unrepeatable = { from: beginning, fingerprint: '', isKnown: false };

export function openStream(stream: Readable, { documentBytes }: OpenSourceOptions): OpenSource {
  return { pieces: piecesOf(stream, new LineSplitter(documentBytes)), ...unrepeatable };
}

/** The file's name decides between JSONL and JSON over several lines. A pipe has no such name, and is read as JSONL. */
export async function openFile({ path, isRegular }: SourceFile, options: OpenSourceOptions): Promise<OpenSource> {
  const isLines = !isRegular || /\.(?:jsonl|ndjson)$/i.test(path);
  if (isRegular && isLines) return openLines(path, options);
  const stream = streamOf(await opened(path));
  if (isLines) return openStream(stream, options);
  return { pieces: piecesOf(stream, new ValueSplitter(options.documentBytes)), ...unrepeatable };
}

async function openLines(path: string, { documentBytes, purpose, positionOf }: OpenSourceOptions): Promise<OpenSource> {
  const key = resolve(path);
  const position = await positionOf(key);
  const handle = await opened(path);
  const { size, mtimeNs } = await handle.stat({ bigint: true });
  const fingerprint = `${size}/${mtimeNs}/${purpose}`;
  const from = position?.fingerprint === fingerprint ? { bytes: position.bytes, lines: position.lines } : beginning;
  const pieces = piecesOf(streamOf(handle, from.bytes), new LineSplitter(documentBytes, from));
  return { pieces, from, key, fingerprint, isKnown: position !== undefined };
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw new UnreadableSource(error);
  }
}

function streamOf(handle: FileHandle, start?: number): Readable {
  return handle.createReadStream({ highWaterMark: chunkBytes, ...(start !== undefined && { start }) });
}

async function* piecesOf(stream: Readable, splitter: Splitter): AsyncIterable<Iterable<Piece>> {
  for await (const chunk of chunksOf(stream)) yield splitter.push(chunk);
  yield splitter.end();
}

async function* chunksOf(stream: Readable): AsyncIterable<Buffer> {
  try {
    for await (const chunk of stream) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk);
  } catch (error) {
    throw new UnreadableSource(error);
  }
}

export function wordsFor(error: unknown): string {
  const code = systemCode(error);
  if (code === 'EACCES' || code === 'EPERM') return 'this user may not read it';
  if (code === 'ENOENT') return 'there is no such file';
  return messageOf(error);
}
