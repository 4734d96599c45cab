import { liveServer } from '@tidings/live';
import { FakeClock, eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { permissionsBy } from '../../access/permissions.ts';
import { clientInMemory } from '../../base/client-in-memory.ts';
import { type Changes, addChangeTools } from './change-tools.ts';

const quiet: Changes['journal'] = {
  cursor: 'now',
  start: 1,
  end: 1,
  at: () => undefined,
  read: () => ({ entries: [], hasGap: false, cursor: 'now' }),
  follow: () => () => undefined,
};

async function waiting() {
  const clock = new FakeClock();
  const server = liveServer({ name: 'test', version: '1.0.0' });
  const kept: string[] = [];
  const directory = {
    nameOf: (_serverId: string, uri: string) => uri,
    keepWatched: async (_caller: unknown, uri: string) => void kept.push(uri),
  };
  addChangeTools(server, { journal: quiet, permissionsOf: permissionsBy(() => undefined, clock) }, directory, clock);
  const client = await clientInMemory(server, { subject: 'test' });
  return { clock, client, kept };
}

describe('waiting for a change', () => {
  it('sends progress every half minute, keeps its resources watched, and ends at the limit of the caller', async () => {
    const { clock, client, kept } = await waiting();
    const progress: unknown[] = [];
    const answer = client.callTool(
      { name: 'wait_for_change', arguments: { uris: ['note://a'], timeout_seconds: 7200 } },
      { onprogress: (each) => void progress.push(each), timeout: 60_000, resetTimeoutOnProgress: true },
    );
    await eventually('the call to wait', () => kept.length === 1 && clock.waiting > 0);
    clock.advance(30_000);
    await eventually('progress', () => progress.length === 1);
    clock.advance(30_000);
    await eventually('more progress', () => progress.length === 2);
    expect(progress).toEqual([
      { progress: 30, total: 7200 },
      { progress: 60, total: 7200 },
    ]);
    expect(kept).toEqual(['note://a', 'note://a', 'note://a']);
    clock.advance(7200_000);
    expect((await answer).structuredContent).toMatchObject({ events: [], has_more: false });
    await client.close();
  });

  it('takes a day at most', async () => {
    const { client } = await waiting();
    const answer = await client.callTool({ name: 'wait_for_change', arguments: { timeout_seconds: 86_401 } });
    expect(answer.isError).toBe(true);
    await client.close();
  });
});
