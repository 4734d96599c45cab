// JSON lines in the folder `audit` of the data folder. Each process writes its own files, named by their start time, so
// that several processes can share a data folder and a killed process damages no line of another. When a file is full,
// the next is started; the oldest are removed.
import { systemCode } from '@tidings/live/portable';
import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@tidings/live';
import { type AuditQuery, type AuditRecord, type AuditTrail, auditFilter, byTime, parseRecord } from './audit-log.ts';
import type { AuditSink } from './buffered-audit-log.ts';

interface FileLimits {
  bytesPerFile: number;
  files: number;
}

interface OpenFile {
  handle: FileHandle;
  path: string;
  /** The length of complete batches. */
  size: number;
}

const folderName = 'audit';
const namePattern = /^[\dTZ-]+-\d+-[\da-f]+\.jsonl$/;

export class FileAuditSink implements AuditSink {
  readonly #folder: string;
  readonly #limits: () => FileLimits;
  readonly #clock: Clock;
  #file: OpenFile | undefined;

  constructor(dataFolder: string, limits: () => FileLimits, clock: Clock) {
    this.#folder = join(dataFolder, folderName);
    this.#limits = limits;
    this.#clock = clock;
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    const bytes = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const file = await this.#fileFor(bytes.length);
    try {
      // Always after the last complete batch: the rest of a failed write is overwritten.
      await writeAll(file.handle, bytes, file.size);
      file.size += bytes.length;
    } catch (error) {
      await file.handle.truncate(file.size).catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#file?.handle.sync().catch(() => undefined);
    await this.#file?.handle.close();
    this.#file = undefined;
  }

  async #fileFor(bytes: number): Promise<OpenFile> {
    const { bytesPerFile } = this.#limits();
    const isFull = this.#file !== undefined && this.#file.size > 0 && this.#file.size + bytes > bytesPerFile;
    if (this.#file && !isFull) return this.#file;
    await this.close();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const moment = new Date(this.#clock.date()).toISOString().replaceAll(/[:.]/g, '-');
    const path = join(this.#folder, `${moment}-${process.pid}-${randomBytes(3).toString('hex')}.jsonl`);
    const file = { handle: await open(path, 'wx', 0o600), path, size: 0 };
    this.#file = file;
    await this.#removeOldest(path);
    return file;
  }

  async #removeOldest(own: string): Promise<void> {
    const all = await filesIn(this.#folder);
    const surplus = all.slice(0, Math.max(0, all.length - this.#limits().files));
    for (const path of surplus) if (path !== own) await rm(path, { force: true });
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

export class FileAuditTrail implements AuditTrail {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, folderName);
  }

  async read(query: AuditQuery): Promise<AuditRecord[]> {
    const found: AuditRecord[] = [];
    const matches = auditFilter(query);
    for (const path of await filesIn(this.#folder)) {
      // Another process may have removed the oldest file meanwhile.
      const text = await readFile(path, 'utf8').catch(() => '');
      for (const line of text.split('\n')) {
        const record = line === '' ? undefined : parseRecord(line);
        if (record !== undefined && matches(record)) found.push(record);
      }
      if (found.length > 2 * query.limit) keepNewest(found, query.limit);
    }
    keepNewest(found, query.limit);
    return found;
  }

  async close(): Promise<void> {}
}

/** Files of several processes overlap in time. */
function keepNewest(records: AuditRecord[], limit: number): void {
  byTime(records);
  records.splice(0, Math.max(0, records.length - limit));
}

/** Oldest first. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => namePattern.test(name))
    .sort()
    .map((name) => join(folder, name));
}
