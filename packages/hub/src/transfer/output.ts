// Where exported lines go: to stdout, or to a file that appears only once it is complete.
import { messageOf } from '@tidings/live/portable';
import { stat } from 'node:fs/promises';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { FileDraft } from '@tidings/live/internal';
import { Failure } from '../terminal/failure.ts';
import { isReaderGone } from '../terminal/print.ts';

export interface Output {
  /** Resolves when there is room for more. */
  write(line: string): Promise<void>;
  /** Resolves when everything has been written. */
  finish(): Promise<void>;
  /** Deletes the output. */
  discard(): Promise<void>;
}

/** The reader of the pipe has closed it, as `head` does. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

export class StreamOutput implements Output {
  readonly #stream: Writable;
  #failure: Error | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', (error) => (this.#failure ??= isReaderGone(error) ? new ReaderGone() : error));
  }

  async write(line: string): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#stream.write(line)) return;
    await once(this.#stream, 'drain').catch((error: unknown) => {
      throw this.#failure ?? error;
    });
  }

  /** A process that exits at once would lose what is still buffered for a pipe. */
  async finish(): Promise<void> {
    await new Promise<void>((resolve) => void this.#stream.write('', () => resolve()));
    if (this.#failure) throw this.#failure;
  }

  async discard(): Promise<void> {}
}

export class FileOutput implements Output {
  readonly #draft: FileDraft;
  #lines: string[] = [];
  #length = 0;

  private constructor(draft: FileDraft) {
    this.#draft = draft;
  }

  static async open(path: string): Promise<FileOutput> {
    const there = await stat(path).catch(() => undefined);
    if (there && !there.isFile()) {
      throw new Failure(`${path} is not a file. Give the name of a file, or use stdout without --out.`, 2);
    }
    try {
      // An existing file keeps its permissions.
      return new FileOutput(await FileDraft.open(path, there && there.mode & 0o777));
    } catch (error) {
      const why = messageOf(error);
      throw new Failure(`${path} cannot be written: ${why}. Choose another file with --out.`);
    }
  }

  async write(line: string): Promise<void> {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= 256 * 1024) await this.#flush();
  }

  async finish(): Promise<void> {
    await this.#flush();
    await this.#draft.replace();
  }

  discard(): Promise<void> {
    return this.#draft.discard();
  }

  async #flush(): Promise<void> {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#length = 0;
    await this.#draft.write(text);
  }
}
