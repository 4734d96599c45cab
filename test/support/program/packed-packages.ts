// Tarballs of all packages as they would be published, packed once for all test files of a run. Packing twice at the
// same time would fail, because packing the hub puts files beside its sources for a while.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { sharedService } from '../run/shared-services.ts';

const workspace = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

const contentsSchema = z.object({
  /** The folder of the tarballs. */
  folder: z.string(),
  packages: z.array(
    z.object({ name: z.string(), filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
  ),
});
const manifestSchema = z.object({ private: z.boolean().default(false) });

type Contents = z.infer<typeof contentsSchema>;

export async function packedPackages(): Promise<Contents> {
  return contentsSchema.parse(await sharedService('packages'));
}

export class PackedPackages {
  readonly contents: Contents;

  private constructor(contents: Contents) {
    this.contents = contents;
  }

  /** One call for all packages: npm takes longer to start than to pack one of them. */
  static async pack(): Promise<PackedPackages> {
    const folder = await mkdtemp(join(tmpdir(), 'tidings-packed-'));
    const workspaces = (await publishedFolders()).map((each) => `--workspace=${each}`);
    const args = ['pack', '--json', '--pack-destination', folder, ...workspaces];
    const { stdout } = await run('npm', args, { cwd: workspace, maxBuffer: 64 * 1024 * 1024 });
    return new PackedPackages(contentsSchema.parse({ folder, packages: JSON.parse(stdout) }));
  }

  async remove(): Promise<void> {
    await rm(this.contents.folder, { recursive: true });
  }
}

async function publishedFolders(): Promise<string[]> {
  const folders = [...(await readdir(join(workspace, 'packages'))).map((name) => `packages/${name}`), 'examples'];
  const manifests = await Promise.all(folders.map((each) => readFile(join(workspace, each, 'package.json'), 'utf8')));
  return folders.filter((_, n) => !manifestSchema.parse(JSON.parse(manifests[n] ?? '')).private);
}
