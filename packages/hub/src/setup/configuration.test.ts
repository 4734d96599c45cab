import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '@tidings/live/testing';
import { eventLoopTurn } from '@tidings/live/time';
import type { Config } from '@tidings/track';
import { expect, it, onTestFinished } from 'vitest';
import { configuration } from './configuration.ts';

it('an edit of the file while the hub starts is applied', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-configuration-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'servers.json');
  const write = (...ids: string[]) =>
    writeFileSync(file, JSON.stringify({ servers: ids.map((id) => ({ id, command: 'x' })) }));
  write('a');
  const found = await configuration({ config: file, data: folder, otherwise: { servers: [], tokens: [] } });
  expect(found.config.servers.map(({ id }) => id)).toEqual(['a']);
  write('a', 'b');
  const clock = new FakeClock();
  const applied: Config[] = [];
  const changed = async (config: Config) => void applied.push(config);
  const watcher = found.watch(clock, { changed, rejected: expect.unreachable }, undefined);
  clock.advance(5000);
  await eventLoopTurn();
  watcher.close();
  expect(applied.map(({ servers }) => servers.map(({ id }) => id))).toEqual([['a', 'b']]);
});
