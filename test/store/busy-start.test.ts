import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openStore } from '@tidings/store';
import { expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('patient-child.js', import.meta.url));

it('waits for a database locked by another process, even if nothing else keeps the own process alive', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-store-'));
  const store = await openStore(folder, { name: 'notes', migrations: [] });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const lines = new Set<string>();
  const { closed } = await store.write(async () => {
    const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closes = new Promise((resolve) => child.once('close', resolve));
    // Releases the write lock as soon as the other process waits for it.
    await new Promise<void>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        lines.add(line);
        resolve();
      });
    });
    return { closed: closes };
  });
  expect({ exitCode: await closed, lines: [...lines] }).toEqual({ exitCode: 0, lines: ['waiting', 'opened'] });
});
