import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openVcon } from '@tidings/vcon';
import { expect, it, onTestFinished } from 'vitest';
import { backup, restore } from './backup.ts';

async function folderWithData(): Promise<{ folder: string; data: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  await (await openVcon({ place: data })).close();
  return { folder, data };
}

it('an interrupted backup leaves nothing behind', async () => {
  const { folder, data } = await folderWithData();
  const stopped = backup({ data, file: join(folder, 'a.tar.gz'), signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow('Stopped before the backup was complete.');
  expect(await readdir(folder)).toEqual(['data']);
});

it('an interrupted restore leaves nothing behind', async () => {
  const { folder, data } = await folderWithData();
  const file = join(folder, 'a.tar.gz');
  await backup({ data, file });
  const stopped = restore({ data: join(folder, 'restored'), file, signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow('Stopped before everything was restored.');
  expect(await readdir(folder)).toEqual(['a.tar.gz', 'data']);
});
