// Lists that were read but not reported before the session was lost. If a resource was missing from such a list and is
// back in the next one, the journal's readers must still get its current content.
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { RawUpstream } from '../support/wire/raw-upstream.ts';
import { Consumer } from './consumer.ts';
import { tracked } from './tracked.ts';

const [a, b, late] = ['raw://r/a', 'raw://r/b', 'raw://r/late'] as const;

/** Regular rereads, made in case notifications are lost, would hide a missing event. */
const settings = { silentMs: 3_600_000 };

async function followed(era: 'legacy' | 'modern') {
  const upstream = await RawUpstream.start(era, { [a]: 'text of a', [b]: 'text of b' });
  const t = await tracked([upstream.entry('s')], { settings });
  await t.isLive('s');
  const consumer = await Consumer.start(t.tracker, 's', t.events);
  const dispose = async () => {
    await t[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  };
  return { upstream, t, consumer, [Symbol.asyncDispose]: dispose };
}

it('a resource missing from a list when the session was lost is reported when it is back and changed', async () => {
  await using s = await followed('modern');
  const { upstream, consumer } = s;
  // A list is reported once its new resources are subscribed to.
  upstream.faults.hangs = (method) => method === 'subscriptions/listen';
  const before = upstream.times('subscriptions/listen');
  delete upstream.resources[a];
  upstream.list(late, 'text of the late one');
  await eventually('the subscription', () => upstream.times('subscriptions/listen') > before);
  upstream.faults.hangs = () => false;
  upstream.resources[a] = 'changed while it was missing';
  delete upstream.resources[late];
  upstream.era = 'legacy';
  upstream.endStreams();
  await consumer.agreesWith(() => upstream.resources);
  // The stream was not replaced for its silence, which would hide a missing event.
  expect(upstream.times('GET')).toBe(1);
  upstream.put(a, 'changed later');
  await consumer.agreesWith(() => upstream.resources);
});

it('a server that refuses to list its resources keeps them until it lists them again', async () => {
  await using s = await followed('legacy');
  const { upstream, t, consumer } = s;
  upstream.faults.error = (method) =>
    method === 'resources/list' ? { code: -32601, message: 'Method not found' } : undefined;
  for (const uri of [a, b]) upstream.put(uri, 'changed before the list was refused');
  upstream.list(b, 'changed as well');
  await eventually('the refusal', () => t.status('s').detail.includes('could not be read'));
  expect(t.status('s')).toMatchObject({ state: 'live', resources: 2, wanted: 2 });
  expect(t.events.all('list_changed')).toEqual([]);
  upstream.faults.error = () => undefined;
  upstream.resources[a] = 'changed meanwhile';
  upstream.forgetSessions();
  await consumer.agreesWith(() => upstream.resources);
});
