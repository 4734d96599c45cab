import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from '@tidings/store';
import type { Power } from '@tidings/track/internal';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isTrusted, keepTrust } from './trusted-commands.ts';
import { userDataFolder } from './user-data-folder.ts';

const power = (text: string): Power => ({ kind: 'command', text, words: text });
const digestOf = (...texts: string[]) => createHash('sha256').update(texts.join('\n')).digest('base64url');

/** The file of consents, in a data folder of its own. */
async function consents(all: Record<string, string>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'tidings-consents-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  for (const name of ['HOME', 'XDG_DATA_HOME', 'LOCALAPPDATA']) vi.stubEnv(name, home);
  onTestFinished(() => void vi.unstubAllEnvs());
  await mkdir(userDataFolder(), { recursive: true });
  const file = join(userDataFolder(), 'trusted-commands.json');
  await writeFile(file, JSON.stringify(all));
  return file;
}

it('a consent that another command stores meanwhile is kept', async () => {
  const file = await consents({ 'a.json': digestOf('one', 'two') });
  const lock = await lockFolder(userDataFolder(), 'trusted-commands');
  const before: object = JSON.parse(await readFile(file, 'utf8'));
  const keeping = keepTrust('a.json', [power('one'), power('two')], [power('one')]);
  await writeFile(file, JSON.stringify({ ...before, 'b.json': digestOf('three') }));
  lock?.release();
  await keeping;
  expect(isTrusted('a.json', [power('one')])).toBe(true);
  expect(isTrusted('b.json', [power('three')])).toBe(true);
});

it('a consent counts while it is stored, since the edited file is followed already', async () => {
  await consents({ 'a.json': digestOf('one', 'two') });
  const lock = await lockFolder(userDataFolder(), 'trusted-commands');
  const keeping = keepTrust('a.json', [power('one'), power('two')], [power('one')]);
  expect(isTrusted('a.json', [power('one')])).toBe(true);
  expect(isTrusted('a.json', [power('three')])).toBe(false);
  lock?.release();
  await keeping;
  expect(isTrusted('a.json', [power('one')])).toBe(true);
});

it('a command that reads the file while it is replaced has all consents', async () => {
  const all = { 'a.json': digestOf('one', 'two'), 'b.json': digestOf('three') };
  const reader = await open(await consents(all));
  await keepTrust('a.json', [power('one'), power('two')], [power('one')]);
  expect(JSON.parse(await reader.readFile('utf8'))).toEqual(all);
  await reader.close();
});

it.each(['', '{"a.json": ', 'null', '{"a.json": 1}'])('a file with "%s" counts as no consent', async (text) => {
  await writeFile(await consents({}), text);
  expect(isTrusted('a.json', [power('one')])).toBe(false);
});
