// The hub's entry for the registry of MCP servers, and the packages that it refers to.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** The registry refuses ranges and `latest`. */
const exactVersion = z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
/** The part of the registry's schema of 2025-12-11 that the entry uses, with the registry's further rules. */
const entrySchema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]\/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  repository: z.strictObject({ url: z.url(), source: z.literal('github'), subfolder: z.string() }),
  version: exactVersion,
  packages: z.array(
    z.strictObject({
      registryType: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb']),
      identifier: z.string(),
      version: exactVersion,
      runtimeHint: z.string(),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
      environmentVariables: z.array(
        z.strictObject({
          name: z.string(),
          description: z.string(),
          default: z.string().optional(),
          isSecret: z.boolean().optional(),
        }),
      ),
    }),
  ),
});

describe("the registry's entry", () => {
  const entry = entrySchema.parse(read('packages/hub/server.json'));
  const manifest = z
    .looseObject({ name: z.string(), version: z.string(), mcpName: z.string() })
    .parse(read('packages/hub/package.json'));

  it('names its package, and that package names it', () => {
    expect(entry).toMatchObject({ name: manifest.mcpName, version: manifest.version });
    expect(entry.packages).toMatchObject([{ identifier: manifest.name, version: manifest.version }]);
  });
});

it('every package names the repository as in the registry, and its own folder', () => {
  const { repository, name } = entrySchema.parse(read('packages/hub/server.json'));
  expect(repository.url).toBe(`https://github.com/${name.replace(/^io\.github\./, '')}`);
  const folders = [...readdirSync(join(root, 'packages')).map((each) => `packages/${each}`), 'examples'];
  for (const directory of folders.filter((each) => each !== 'packages/dashboard')) {
    const manifest = read(`${directory}/package.json`);
    expect(manifest).toMatchObject({ repository: { type: 'git', url: `git+${repository.url}.git`, directory } });
  }
});
