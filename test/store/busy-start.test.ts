import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openStore } from '@tidings/store';
import { expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('patient-child.js', import.meta.url));

it('waits for a database that another process has locked, though nothing else keeps the process alive', async () => {
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
    // The write lock is released as soon as the other process has begun to wait for it.
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
