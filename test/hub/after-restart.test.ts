// Clients that subscribe again as soon as a restarted hub answers, before it is connected to the server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NotesUpstream } from './notes-upstream.ts';
import { runningHub } from './running-hub.ts';

/** A token with URI patterns only: the servers it sees depend on their resource lists. */
const limited = { tokens: [{ env: 'LIMITED', allow: ['note://*'] }] };
const env = { LIMITED: 'a-token-of-a-limited-client' };

const clients = (['modern', 'legacy'] as const).flatMap((era) => [
  { era, who: 'without a token', token: undefined },
  { era, who: 'with a limited token', token: env.LIMITED },
]);

describe.each(clients)('a $era client $who', ({ era, token }) => {
  it('subscribes to resources that were known before the restart', async () => {
    const place = await mkdtemp(join(tmpdir(), 'tidings-after-restart-'));
    onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
    const upstream = await NotesUpstream.start('modern');
    upstream.put('a', 'one');
    const entry = upstream.entry('notes');
    const before = await runningHub({ servers: [entry], place });
    await before.isLive('notes');
    await before[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();

    await using hub = await runningHub({
      servers: [entry],
      place,
      ...(token !== undefined && { config: limited, env }),
    });
    const client = await hub.connect(era, '/mcp', token);
    await client.subscribe('note://a');
    // Not in the stored list, but its scheme belongs to that server.
    await client.subscribe('note://new');
    await using again = await NotesUpstream.start('modern', 'note', Number(new URL(entry.url).port));
    again.put('a', 'two');
    await eventually('the client to be told', () => client.updates.includes('note://a'));
    expect(await client.read('note://a')).toBe('two');
    again.put('new', 'three');
    await eventually('the client to be told of the new one', () => client.updates.includes('note://new'));
    await client.close();
  });

  it('subscribes to a resource that no connected server has yet', async () => {
    const upstream = await NotesUpstream.start('modern');
    const entry = { ...upstream.entry('notes'), trackResources: false };
    await upstream[Symbol.asyncDispose]();

    // Nothing is stored of a server that is not tracked.
    await using hub = await runningHub({ servers: [entry], ...(token !== undefined && { config: limited, env }) });
    const client = await hub.connect(era, '/mcp', token);
    expect((await client.subscribe('note://a')).honored).toEqual(['note://a']);
    await expect(client.read('note://a')).rejects.toThrow(/not all are connected yet/);
    expect((await client.subscribe('tidings://other/note:/a')).honored).toEqual([]);
    await using again = await NotesUpstream.start('modern', 'note', Number(new URL(entry.url).port));
    again.put('a', 'two');
    await eventually('the client to be told', () => client.updates.includes('note://a'));
    expect(await client.read('note://a')).toBe('two');
    const { length } = client.updates;
    again.put('a', 'three');
    await eventually('the client to be told of the change', () => client.updates.length > length);
    expect(await client.read('note://a')).toBe('three');
    expect((await client.subscribe('other://a')).honored).toEqual([]);
    await client.close();
  });
});
