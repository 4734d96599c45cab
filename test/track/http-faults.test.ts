// The faults of faults.test.ts for servers over HTTP, in both eras.
import { eventually } from '@tidings/live/testing';
import type { TrackerSettings } from '@tidings/track';
import { describe, expect, it } from 'vitest';
import { Consumer } from './consumer.ts';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';
import { HttpUpstream } from './http-upstream.ts';
import { type Tracked, tracked } from './tracked.ts';

/** Long enough for a busy machine; the time this takes is measured by `npm run chaos`. */
const healedMs = 20_000;

function notes(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`note://${n}`, `text ${n}`]));
}

async function followed(
  upstream: HttpUpstream,
  { url = upstream.entry('s').url, settings = {} }: { url?: string; settings?: Partial<TrackerSettings> } = {},
): Promise<Tracked & { consumer: Consumer }> {
  const t = await tracked([{ ...upstream.entry('s'), url }], { settings });
  await t.isLive('s');
  return { ...t, consumer: await Consumer.start(t.tracker, 's', t.events) };
}

describe.each(['modern', 'legacy'] as const)('a %s server over HTTP', (era) => {
  it('restarts with other resources: the differences are reported', async () => {
    await using upstream = await HttpUpstream.start(era, notes(10));
    await using t = await followed(upstream);
    expect(t.status('s').era).toBe(era);
    await eventually('everything to be read', () => t.status('s').hashed === 10);
    await upstream.down();
    await eventually('it to be missed', () => t.status('s').state !== 'live');
    upstream.resources['note://1'] = 'changed while it was down';
    upstream.resources['note://new'] = 'new';
    delete upstream.resources['note://2'];
    await upstream.up();
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
    upstream.put('3', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
    // The consumer may have read it after a gap, before the update came.
    await t.events.told('note://3');
    expect(t.events.updates).toEqual(['note://1', 'note://3']);
  });

  it('loses its connections: changes are reported after the reconnection', async () => {
    await using upstream = await HttpUpstream.start(era, notes(5));
    await using t = await followed(upstream);
    upstream.cut();
    upstream.put('1', 'changed without a listener');
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
    upstream.put('2', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
  });

  it('answers with errors for a while: changes are reported afterwards', async () => {
    await using upstream = await HttpUpstream.start(era, notes(5));
    await using t = await followed(upstream);
    upstream.mood = 'errors';
    upstream.cut();
    upstream.put('1', 'changed');
    await eventually('it to be missed', () => t.status('s').state === 'backoff');
    expect(t.status('s').detail).toMatch(/500|Something is wrong/);
    upstream.mood = 'well';
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
  });

  it('is busy with a request for long: its session is kept', async () => {
    await using upstream = await HttpUpstream.start(era, notes(5));
    const health = { everyMs: 20, idleMs: 20, answerMs: 2000, shortestPulseMs: 1000 };
    await using t = await followed(upstream, { settings: { health } });
    await t.tracker.upstream('s').use(async () => {
      upstream.mood = 'silent';
      await eventually('it to be asked again and again', () => upstream.unanswered >= 3);
      upstream.mood = 'well';
    });
    upstream.put('1', 'changed');
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
    expect(t.status('s').connects).toBe(1);
  });

  it('changes its list repeatedly: readers have the last list', async () => {
    await using upstream = await HttpUpstream.start(era, notes(5));
    await using t = await followed(upstream);
    for (let n = 0; n < 30; n += 1) {
      upstream.put(`extra ${n}`, `text ${n}`);
      if (n % 3 === 0) upstream.remove(`extra ${n}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const truth = () =>
      Object.fromEntries(Object.entries(upstream.resources).map(([uri, text]) => [uri.replace(' ', '%20'), text]));
    await t.consumer.agreesWith(truth, healedMs);
    upstream.put('extra 29', 'changed');
    await t.consumer.agreesWith(truth, healedMs);
  });

  it('goes silent on its stream only: the stream is replaced', async () => {
    await using upstream = await HttpUpstream.start(era, notes(5), { keepAliveMs: 60 });
    await using proxy = await FaultyProxy.open(upstream.entry('s').url);
    const health = { everyMs: 60_000, idleMs: 60_000, answerMs: 10_000, shortestPulseMs: 20 };
    await using t = await followed(upstream, { url: proxy.url, settings: { health } });
    await eventually('its comments', () =>
      proxy.connections.some(({ heard }) => heard.split(': keepalive').length > 3),
    );
    proxy.affect('blackHole', ({ heard }) => heard.includes(': keepalive'));
    upstream.put('1', 'changed unheard');
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
    upstream.put('2', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
    expect(t.status('s')).toMatchObject({ state: 'live' });
  });

  it('goes silent on a stream that was idle for long: the stream is replaced', async () => {
    await using upstream = await HttpUpstream.start(era, notes(30));
    await using proxy = await FaultyProxy.open(upstream.entry('s').url);
    await using t = await followed(upstream, { url: proxy.url, settings: { silentMs: 300 } });
    await eventually('everything to be read', () => t.status('s').hashed === 30);
    proxy.affect('blackHole', ({ asked }) => /GET \/|subscriptions\/listen/.test(asked));
    const began = performance.now();
    upstream.put('29', 'changed unheard');
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
    // Without periodic reads it would take 17 s until a silent stream is opened again.
    expect(performance.now() - began).toBeLessThan(15_000);
    upstream.put('2', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
    expect(t.status('s')).toMatchObject({ state: 'live', connects: 1 });
  });

  it('stops answering completely: its connection fails, and recovers when it answers', async () => {
    await using upstream = await HttpUpstream.start(era, notes(5));
    await using proxy = await FaultyProxy.open(upstream.entry('s').url);
    // Long enough for the idle connections of the earlier session to be closed: they stay dead.
    const health = { everyMs: 100, idleMs: 100, answerMs: 2500, shortestPulseMs: 1000 };
    await using t = await followed(upstream, { url: proxy.url, settings: { health, connectMs: 1500 } });
    proxy.affect('blackHole');
    proxy.affectNew('blackHole');
    upstream.put('1', 'changed unheard');
    await eventually('it to be missed', () => t.status('s').state === 'backoff');
    expect(t.status('s').detail).toContain('does not answer any more');
    proxy.mend();
    await t.consumer.agreesWith(() => upstream.resources, healedMs);
  });

  it('has no session and no stream left after the tracker has closed', async () => {
    await using upstream = await HttpUpstream.start(era, notes(5));
    const t = await tracked([upstream.entry('s')]);
    await t.isLive('s');
    expect(upstream.open.streams).toBe(1);
    await t[Symbol.asyncDispose]();
    await eventually('nothing to be open', () => upstream.open.streams === 0 && upstream.open.sessions === 0);
  });
});
