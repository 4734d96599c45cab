// Bundles programs that tests start many times: some have hundreds of modules, which Node loads in half the time from
// one file.
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { z } from 'zod';

const workspace = fileURLToPath(new URL('../../../', import.meta.url));
/** Inside the project, so that imports resolve. */
const cache = join(workspace, 'node_modules/.cache');

const manifestSchema = z.object({ dependencies: z.record(z.string(), z.string()) });

export class ProgramBundles {
  readonly #folder: string;
  readonly #made = new Map<string, Promise<{ file: string }>>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<ProgramBundles> {
    await mkdir(cache, { recursive: true });
    return new ProgramBundles(await mkdtemp(join(cache, 'programs-')));
  }

  /** The file of the bundle, which is made at the first request. */
  bundle(program: string): Promise<{ file: string }> {
    const made = this.#made.get(program) ?? this.#bundle(program);
    this.#made.set(program, made);
    return made;
  }

  async #bundle(program: string): Promise<{ file: string }> {
    // As for the command: packages with native parts or their own data files stay external.
    const manifest: unknown = JSON.parse(readFileSync(join(workspace, 'packages/hub/package.json'), 'utf8'));
    const external = [...Object.keys(manifestSchema.parse(manifest).dependencies), 'pg-native'];
    const built = await rolldown({ input: program, platform: 'node', external });
    const file = join(this.#folder, `${this.#made.size}-${basename(program, '.js')}.mjs`);
    await built.write({ file, format: 'esm', codeSplitting: false });
    await built.close();
    return { file };
  }

  async remove(): Promise<void> {
    await Promise.allSettled(this.#made.values());
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
