// Thousands of resources that are subscribed to and left: the work at the server grows linearly with their number, in
// both eras and for any batch size. Counted in URI lookups, not in time.
import { type LiveServer, liveServer } from '@tidings/live';
import { type Era, eventually, told } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { ask, initialize, openStream } from '../support/wire/raw-http.ts';
import { NotesUpstream } from './notes-upstream.ts';
import { runningHub } from './running-hub.ts';

const many = 600;
const uris = Array.from({ length: many }, (_, n) => `item://${n}`);

interface Counted {
  server: LiveServer;
  /** How often a URI was looked up for a subscription or a read. */
  lookups: number;
}

/** A built-in server: no socket is involved, so no other task runs between two requests. */
function countedServer(): Counted {
  const counted: Counted = { server: liveServer({ name: 'items', version: '1.0.0' }), lookups: 0 };
  counted.server.resource('item://{name}', {
    read: ({ name }) => name,
    topics: () => {
      counted.lookups += 1;
      return [];
    },
  });
  return counted;
}

async function hubWith(counted: Counted) {
  const hub = await runningHub({
    servers: [{ id: 'items', builtin: 'items', enabled: true, trackResources: true }],
    builtins: { items: async () => counted.server },
  });
  await hub.isLive('items');
  return hub;
}

describe('many resources', () => {
  it('in one listen request are looked up a few times each', async () => {
    const counted = countedServer();
    await using hub = await hubWith(counted);
    const stream = await openStream(`${hub.url}/mcp`, 'modern', uris);
    await eventually('all to be subscribed', () => hub.status('items')?.subscribed === many);
    stream.destroy();
    await eventually('all to be left', () => hub.status('items')?.wanted === 0);
    await eventually('all to be let go', () => counted.server.stats().watched < 10);
    expect(counted.lookups).toBeLessThan(20 * many);
  });

  it('that are subscribed one by one, and left together, are looked up a few times each', async () => {
    const counted = countedServer();
    await using hub = await hubWith(counted);
    const session = await initialize(`${hub.url}/mcp`);
    for (const uri of uris) await ask(`${hub.url}/mcp`, 'legacy', 'resources/subscribe', { uri }, session);
    expect(hub.status('items')?.subscribed).toBe(many);
    await fetch(`${hub.url}/mcp`, { method: 'DELETE', headers: session });
    await eventually('all to be let go', () => counted.server.stats().watched < 10);
    expect(counted.lookups).toBeLessThan(40 * many);
  });

  it.each<Era>(['modern', 'legacy'])('are notified while others are unsubscribed, at a %s server', async (era) => {
    await using upstream = await NotesUpstream.start(era);
    for (let n = 0; n < 200; n += 1) upstream.notes.set(`n${n}`, 'first');
    await using hub = await runningHub({ servers: [upstream.entry('notes', false)] });
    await hub.isLive('notes');
    const names = [...upstream.notes.keys()].map((name) => `note://${name}`);
    const leaving = await openStream(`${hub.url}/mcp`, 'modern', names);
    const staying = await hub.connect('modern');
    await staying.subscribe('note://n7', 'note://n199');
    leaving.destroy();
    await eventually('the others to be left', () => hub.status('notes')?.wanted === 2);
    for (const name of ['n7', 'n199']) upstream.put(name, 'second');
    for (const name of ['n7', 'n199']) await told(staying, `note://${name}`);
    await staying.close();
  });

  it('are refused in one wait_for_change call, which names the limit', async () => {
    const counted = countedServer();
    await using hub = await hubWith(counted);
    const client = await hub.connect('modern');
    const before = counted.lookups;
    const answer = client.call('wait_for_change', {
      uris: Array.from({ length: 30_000 }, (_, n) => `item://${n}`),
      timeout_seconds: 1,
    });
    await expect(answer).rejects.toThrow(/^uris: 30000 were given, and one call waits for at most 1000\./);
    expect(counted.lookups).toBe(before);
    await client.close();
  });
});
