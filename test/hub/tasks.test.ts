// Tools that create tasks, called through the hub by clients that do not support tasks: clients of both eras with real
// processes of servers of both eras.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Era, eventually } from '@tidings/live/testing';
import type { CommandEntry } from '@tidings/track';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AskingClient } from './asking-client.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const eras = ['modern', 'legacy'] as const;
const programs = { modern: 'task-server-2.js', legacy: 'task-server-1.js' } as const;

let folder: string;
let hub: RunningHub;
const notesOf = (era: Era) => readFile(join(folder, era), 'utf8').catch(() => '');

function entry(era: Era): CommandEntry {
  const program = fileURLToPath(new URL(`../fixtures/${programs[era]}`, import.meta.url));
  const args = [program, join(folder, era)];
  return { id: era, command: process.execPath, args, env: {}, enabled: true, trackResources: false };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-tasks-'));
  hub = await runningHub({ servers: eras.map(entry) });
  await hub.isLive(...eras);
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, maxRetries: 5 });
});

describe.each(eras)('a %s client', (clientEra) => {
  describe.each(eras)('with a %s server behind', (serverEra) => {
    const connect = () => AskingClient.connect(`${hub.url}/mcp/${serverEra}`, clientEra);

    it('gets the result of a task like that of any call', async () => {
      await using client = await connect();
      expect(await client.call('short')).toBe('At once.');
      expect(await client.call('long')).toBe('It took a while.');
      const broken = await client.client.callTool({ name: 'broken' });
      expect(broken).toMatchObject({ isError: true, content: [{ text: 'It broke.' }] });
    });

    it('gets the progress of its task', async () => {
      await using client = await connect();
      // On a busy machine, the task may have ended at the hub's first look, or its progress may arrive together with the
      // response: an SDK client drops that.
      await eventually('progress', async () => {
        const progress: number[] = [];
        await client.call('long', { onprogress: (each) => void progress.push(each.progress) });
        return progress.length > 0;
      });
    });

    it('cancels the task with its call', async () => {
      await using client = await connect();
      const before = (await notesOf(serverEra)).split('\n').length;
      const leaving = new AbortController();
      const called = client.client.callTool({ name: 'endless' }, { signal: leaving.signal }).catch(() => undefined);
      await eventually('the task', async () => (await notesOf(serverEra)).split('\n').length > before);
      leaving.abort();
      await called;
      await eventually('its end', async () => (await notesOf(serverEra)).endsWith('cancelled\n'));
    });
  });

  it('gets the error of a task that failed', async () => {
    await using client = await AskingClient.connect(`${hub.url}/mcp/modern`, clientEra);
    const failed = await client.client.callTool({ name: 'failing' }).catch((error: unknown) => error);
    expect(JSON.stringify(failed) + String(failed)).toContain('It failed.');
  });

  it('gets the questions of a task', async () => {
    await using client = await AskingClient.connect(`${hub.url}/mcp/modern`, clientEra);
    expect(await client.call('asking')).toBe('Hello Ada');
    expect(client.asked).toEqual(['Who?']);
  });
});
