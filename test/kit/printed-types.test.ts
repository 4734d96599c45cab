import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('an editor shows the parameters of a template', () => {
  const outDir = mkdtempSync(join(tmpdir(), 'tidings-types-'));
  onTestFinished(() => rmSync(outDir, { recursive: true }));
  const options = [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--skipLibCheck',
    '--strict',
    '--exactOptionalPropertyTypes',
  ];
  const settings = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--outDir', outDir];
  const fixture = fileURLToPath(new URL('printed-types.ts', import.meta.url));
  execFileSync(join(root, 'node_modules/.bin/tsc'), [...options, ...settings, fixture], { cwd: root });
  const printed = readFileSync(join(outDir, 'printed-types.d.ts'), 'utf8').replaceAll(/\s+/g, ' ');
  expect(printed).toContain('city: import("@tidings/live").RouteHandle<{ city: string; }>');
  expect(printed).toContain('RouteHandle<{ name: string; page?: string; part?: string; q?: string; }>');
  expect(printed).toContain('changed: (this: void, params: { city: string; }) => void');
});
