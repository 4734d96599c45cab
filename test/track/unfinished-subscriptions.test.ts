// A subscription is active only when the server has acknowledged it. Until then its resource is polled, and the request
// is repeated. A missing list does not prevent subscriptions to watched resources.
import { eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { RawUpstream } from '../support/wire/raw-upstream.ts';
import { Consumer } from './consumer.ts';
import { type Tracked, tracked } from './tracked.ts';

const notes = () => Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`raw://r/${name}`, `text of ${name}`]));
const settings = { poll: { usualMs: 300, shortestMs: 100, longestMs: 1000 }, subscribeMs: 500 };
const methodOf = { legacy: 'resources/subscribe', modern: 'subscriptions/listen' } as const;

async function followed(upstream: RawUpstream): Promise<Tracked & { consumer: Consumer }> {
  const t = await tracked([upstream.entry('s')], { settings });
  await t.isLive('s');
  return { ...t, consumer: await Consumer.start(t.tracker, 's', t.events) };
}

describe.each(['legacy', 'modern'] as const)('a subscription of a %s server', (era) => {
  it('without a response is polled and requested again, and active once acknowledged', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    upstream.faults.hangs = (method, uri) => method === methodOf[era] && (uri ?? 'raw://r/a') === 'raw://r/a';
    await using t = await followed(upstream);
    expect(t.status('s').polled).toBe(era === 'legacy' ? 1 : 5);
    expect(t.status('s').detail).toMatch(/has not answered . of 5 subscriptions.*polled/);
    upstream.put('raw://r/a', 'changed unheard');
    await t.consumer.agreesWith(() => upstream.resources);
    upstream.faults.hangs = () => false;
    await eventually('everything to be in force', () => t.status('s').subscribed === 5 && t.status('s').polled === 0);
    expect(t.status('s').detail).toBe('');
    upstream.put('raw://r/a', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
  });

  it('that is refused is polled and requested again', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    if (era === 'modern') upstream.faults.honors = (uri) => uri !== 'raw://r/a';
    else {
      upstream.faults.error = (method, uri) =>
        method === methodOf.legacy && uri === 'raw://r/a' ? { code: -32000, message: 'Not now.' } : undefined;
    }
    await using t = await followed(upstream);
    expect(t.status('s')).toMatchObject({ subscribed: 4, polled: 1 });
    upstream.put('raw://r/a', 'changed unheard');
    await t.consumer.agreesWith(() => upstream.resources);
    upstream.faults.honors = () => true;
    upstream.faults.error = () => undefined;
    await eventually('everything to be in force', () => t.status('s').subscribed === 5 && t.status('s').polled === 0);
    upstream.put('raw://r/a', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
    await eventually('the replaced streams to be closed', () => upstream.streams === 1);
  });

  it.each([429, 503])('that is answered with HTTP %i is polled and requested again', async (status) => {
    await using upstream = await RawUpstream.start(era, notes());
    upstream.faults.status = (method) => (method === methodOf[era] ? status : undefined);
    await using t = await followed(upstream);
    upstream.put('raw://r/a', 'changed unheard');
    await t.consumer.agreesWith(() => upstream.resources);
    expect(upstream.requests.filter((request) => request.startsWith(methodOf[era])).length).toBeLessThan(60);
    upstream.faults.status = () => undefined;
    await eventually('everything to be in force', () => t.status('s').subscribed === 5 && t.status('s').polled === 0);
    upstream.put('raw://r/a', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
  });
});

describe.each(['legacy', 'modern'] as const)('a watcher at a %s server', (era) => {
  it('that was ready before its subscription is notified once the subscription is active', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    upstream.faults.hangs = (method) => method === methodOf[era];
    const patient = { ...settings, poll: { usualMs: 60_000, shortestMs: 60_000, longestMs: 60_000 } };
    await using t = await tracked([upstream.entry('s', { trackResources: false })], { settings: patient });
    const told: string[] = [];
    const watch = t.tracker.upstream('s').watch('raw://r/a', (uri) => void told.push(uri));
    await watch.ready;
    told.length = 0;
    upstream.faults.hangs = () => false;
    await eventually('it to be in force', () => t.status('s').subscribed === 1);
    await eventually('it to be told', () => told.includes('raw://r/a'));
    watch.end();
  });
});

describe.each(['legacy', 'modern'] as const)('a list of a %s server', (era) => {
  it.each([
    ['never comes', (upstream: RawUpstream) => (upstream.faults.hangs = (method) => method === 'resources/list')],
    [
      'fails',
      (upstream: RawUpstream) =>
        (upstream.faults.error = (method) =>
          method === 'resources/list' ? { code: -32603, message: 'The list is broken.' } : undefined),
    ],
  ])('that %s does not prevent the subscription of a watched resource', async (_, misbehave) => {
    await using upstream = await RawUpstream.start(era, notes());
    misbehave(upstream);
    await using t = await tracked([upstream.entry('s', { trackResources: false })], { settings });
    const told: string[] = [];
    const watch = t.tracker.upstream('s').watch('raw://r/a', (uri) => void told.push(uri));
    await watch.ready;
    await eventually('it to be in force', () => t.status('s').subscribed === 1);
    told.length = 0;
    upstream.put('raw://r/a', 'changed');
    await eventually('the change', () => told.includes('raw://r/a'));
    expect(t.status('s').detail).toMatch(/list/);
    watch.end();
  });

  it('that cannot be read after a restart does not prevent subscriptions of the known resources', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    await using t = await followed(upstream);
    upstream.faults.hangs = (method) => method === 'resources/list';
    upstream.forgetSessions();
    upstream.resources['raw://r/a'] = 'changed meanwhile';
    await t.consumer.agreesWith(() => upstream.resources);
    await eventually('all to be in force', () => t.status('s').subscribed === 5);
    upstream.put('raw://r/b', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
  });
});
