// The Vitest configuration for broken copies. Workers are shared: each copy has its own modules, and loading libraries
// takes longer than most of these tests.
import { realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { builtModule } from './built-module.ts';

/** Tests use the build, as in vitest.config.ts. */
const built = {
  name: 'built-modules',
  enforce: 'pre' as const,
  resolveId(source: string, importer: string | undefined) {
    const path = source.startsWith('.') && importer !== undefined && builtModule(resolve(dirname(importer), source));
    return path ? realpathSync(path) : undefined;
  },
};

export default defineConfig({
  plugins: [built],
  test: {
    reporters: [{}],
    isolate: false,
    // Most of these tests wait, so there are more workers than cores.
    maxWorkers: availableParallelism() + 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
  },
});
