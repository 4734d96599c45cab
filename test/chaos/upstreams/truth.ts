// The suite's side of truth-file.js: the resources of a server in another process.
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class Truth {
  readonly resources: Record<string, string>;
  readonly #folder: string;
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string, resources: Record<string, string>) {
    this.#folder = folder;
    this.resources = resources;
  }

  static async create(resources: Record<string, string>): Promise<Truth> {
    const truth = new Truth(await mkdtemp(join(tmpdir(), 'tidings-chaos-')), resources);
    await truth.#write();
    return truth;
  }

  get file(): string {
    return join(this.#folder, 'truth.json');
  }

  async put(uri: string, text: string | undefined): Promise<void> {
    if (text === undefined) delete this.resources[uri];
    else this.resources[uri] = text;
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }

  /** The server's process id, from the file that it writes. */
  async pid(): Promise<number | undefined> {
    return readFile(`${this.file}.pid`, 'utf8').then(Number, () => undefined);
  }

  async choose(sdk: string): Promise<void> {
    await writeFile(`${this.file}.sdk`, sdk);
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Atomic, because servers read the file meanwhile. */
  async #write(): Promise<void> {
    const draft = join(this.#folder, 'draft');
    await writeFile(draft, JSON.stringify(this.resources));
    await rename(draft, this.file);
  }
}
