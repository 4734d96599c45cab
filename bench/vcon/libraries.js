// The folders of the benched libraries: built when the first row needs them, removed when the benchmark ends.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLibrary } from './build-library.js';

export class Libraries {
  #folder;

  /** The folder of the library of each size. */
  async folders(sizes) {
    this.#folder ??= await build(sizes);
    return sizes.map((size) => join(this.#folder, String(size)));
  }
}

async function build(sizes) {
  const folder = temporaryFolder();
  for (const size of sizes) {
    mkdirSync(join(folder, String(size)));
    await buildLibrary(join(folder, String(size)), size);
  }
  return folder;
}

/** Removed also after a failure, and when interrupted. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-bench-vcon-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
