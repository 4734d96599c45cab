// The build of a source file, which Node loads several times faster than Vite transforms the source.
import { existsSync } from 'node:fs';

/** Undefined for tests, for modules that only tests use, and for all files outside of a package's sources. */
export function builtModule(path: string): string | undefined {
  const [, folder, name] = /^(.*\/packages\/\w+)\/src\/(?!.*testing\/)(.*)(?<!\.test)\.ts$/.exec(path) ?? [];
  const built = `${folder}/dist/${name}.js`;
  return folder !== undefined && existsSync(built) ? built : undefined;
}
