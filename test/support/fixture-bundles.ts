// Programs of test/fixtures as one file each: a server of the SDK has hundreds of modules, and to load them one by one
// takes Node twice as long as all of them in one file.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));

export class FixtureBundles {
  readonly #folder = mkdtemp(join(tmpdir(), 'tidings-fixtures-'));
  readonly #files = new Map<string, Promise<string>>();

  /** The file of the bundle, which is made when the first test asks for it. */
  file(name: string): Promise<string> {
    const file = this.#files.get(name) ?? this.#bundle(name);
    this.#files.set(name, file);
    return file;
  }

  async remove(): Promise<void> {
    await Promise.allSettled(this.#files.values());
    await rm(await this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #bundle(name: string): Promise<string> {
    const file = join(await this.#folder, name.replace(/\.js$/, '.mjs'));
    const bundle = await rolldown({ input: join(fixtures, name), platform: 'node' });
    await bundle.write({ file, format: 'esm', codeSplitting: false });
    return file;
  }
}
