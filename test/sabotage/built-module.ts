// What was built of a source: Node loads it several times faster than Vite transforms the source.
import { existsSync } from 'node:fs';

/** Undefined for tests, for what only tests use, and for all that is no source of a package. */
export function builtModule(path: string): string | undefined {
  const [, folder, name] = /^(.*\/packages\/\w+)\/src\/(?!.*testing\/)(.*)(?<!\.test)\.ts$/.exec(path) ?? [];
  const built = `${folder}/dist/${name}.js`;
  return folder !== undefined && existsSync(built) ? built : undefined;
}
