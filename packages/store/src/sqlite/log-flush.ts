// Makes commits durable without blocking the process: SQLite writes a commit to its log and does not wait for the disk
// (synchronous NORMAL), and another thread flushes the log. Commits during a flush share the next one.
import { type FileHandle, open } from 'node:fs/promises';
import { Rerun } from '@tidings/live/time';

/** Resolves when the disk has what was written to the file. */
export type FlushFile = (handle: FileHandle) => Promise<void>;

export class LogFlush {
  readonly #path: string;
  readonly #flushFile: FlushFile;
  readonly #flush = new Rerun(() => this.#run());
  #handle: FileHandle | undefined;

  /** `path`: of the log, which exists as long as the database is open. */
  constructor(path: string, flushFile: FlushFile = (handle) => handle.datasync()) {
    this.#path = path;
    this.#flushFile = flushFile;
  }

  /** Resolves when everything that was committed before survives a power cut. */
  done(): Promise<void> {
    return this.#flush.request();
  }

  async close(): Promise<void> {
    await this.#flush.stop();
    await this.#handle?.close();
  }

  async #run(): Promise<void> {
    // Windows flushes only a file that may be written to.
    this.#handle ??= await open(this.#path, 'r+');
    await this.#flushFile(this.#handle);
  }
}
