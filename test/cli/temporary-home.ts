// A temporary home directory with the files of hosts, for tests of `tidings init`.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export class TemporaryHome {
  readonly path: string;
  readonly #files: Readonly<Record<string, string>>;

  /** `files`: the file of each host, relative to the home directory. */
  constructor(path: string, files: Readonly<Record<string, string>>) {
    this.path = path;
    this.#files = files;
    onTestFinished(() => rm(path, { recursive: true }));
  }

  static folder(): Promise<string> {
    return mkdtemp(join(tmpdir(), 'tidings-home-'));
  }

  file(host: string): string {
    return join(this.path, this.#files[host] ?? '');
  }

  read(host: string): Promise<string> {
    return readFile(this.file(host), 'utf8');
  }

  /** Returns the path of the file. */
  async write(host: string, text: string): Promise<string> {
    await mkdir(dirname(this.file(host)), { recursive: true });
    await writeFile(this.file(host), text);
    return this.file(host);
  }
}
