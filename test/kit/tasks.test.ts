// The example with a table, as two processes on one folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectHttp, eventually, told } from '@tidings/live/testing';
import { expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(import.meta.resolve('@tidings/examples/tasks'));

async function serveTasks(folder: string): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [program, folder, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  if (child.stdout === null) expect.fail('It has no output.');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('It did not start.');
}

it('each of two processes notifies its clients of the writes of the other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-tasks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const urls = [await serveTasks(folder), await serveTasks(folder)] as const;
  const [one, other] = await Promise.all([connectHttp(urls[0], 'modern'), connectHttp(urls[1], 'legacy')]);
  await other.subscribe('task://write');
  await one.subscribe('task://write');

  await one.call('add_task', { id: 'write', text: 'Write it down' });
  await told(other, 'task://write');
  await eventually('the list', () => other.listChanges.includes('notifications/resources/list_changed'));
  expect(await other.listAll()).toEqual(['task://write']);

  const before = one.updates.length;
  await other.call('finish_task', { id: 'write' });
  await told(one, 'task://write', before);
  expect(JSON.parse(await one.read('task://write'))).toEqual({ id: 'write', text: 'Write it down', done: 1 });
  await one.close();
  await other.close();
});
