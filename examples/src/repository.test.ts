import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectMemory, eventually } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createRepository } from './repository.ts';

function emptyRepository() {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' });
  const commit = (file: string, text: string, subject: string) => {
    writeFileSync(join(folder, file), text);
    git('add', '.');
    git('commit', '-q', '-m', subject);
  };
  git('init', '-q', '-b', 'main');
  return { folder, git, commit };
}

it('serves log, branches and files, and notifies of a commit', async () => {
  const { folder, git, commit } = emptyRepository();
  commit('a b.txt', 'one', 'First');
  const server = createRepository(folder);
  onTestFinished(() => server.close());
  const client = await connectMemory(server, 'modern');
  await client.subscribe('git://log?limit=1', 'git://file/a%20b.txt', 'git://branch/topic/x');

  expect(await client.listAll()).toEqual(['git://branch/main', 'git://file/a%20b.txt']);
  expect(await client.read('git://file/a%20b.txt')).toBe('one');
  commit('a b.txt', 'two', 'Second');
  await eventually('the file to be the new one', async () => (await client.read('git://file/a%20b.txt')) === 'two');
  await eventually('both to be told', () => new Set(client.updates).size >= 2);
  expect(JSON.parse(await client.read('git://log?limit=1'))).toMatchObject([{ author: 'Ada', subject: 'Second' }]);

  git('checkout', '-q', '-b', 'topic/x');
  await eventually('the branch to be told', () => client.updates.includes('git://branch/topic/x'));
  expect(JSON.parse(await client.read('git://branch/topic/x'))).toMatchObject({ subject: 'Second' });
  await expect(client.read('git://file/none')).rejects.toThrow('no such file');
  await expect(client.read('git://log?limit=many')).rejects.toThrow('limit is a number');
  await client.close();
});
