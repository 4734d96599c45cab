// Unusual notifications: mixed with other text, damaged, with another spelling of the URI, or about a sub-resource.
import { FakeClock, eventually } from '@tidings/live/testing';
import { describe, expect, it } from 'vitest';
import { RawUpstream } from '../support/wire/raw-upstream.ts';
import { Consumer } from './consumer.ts';
import { ScriptedServer } from './scripted-server.ts';
import { tracked } from './tracked.ts';

const notes = () => ({ 'raw://r/1': 'one', 'raw://r/2': 'two' });

describe('a server on stdio', () => {
  it('that writes text before a notification on the same line: the update is reported', async () => {
    await using server = await ScriptedServer.create({ resources: notes() });
    await using t = await tracked([server.entry('s')]);
    await t.isLive('s');
    // The content does not change, so that a reread of everything, as after a gap, would report nothing.
    await server.act('noise', { uri: 'raw://r/1' });
    await t.events.told('raw://r/1');
    expect(t.events.updates).toEqual(['raw://r/1']);
  });

  it('that splits a notification over two lines: all resources are read again', async () => {
    await using server = await ScriptedServer.create({ resources: notes() });
    await using t = await tracked([server.entry('s')]);
    await t.isLive('s');
    const consumer = await Consumer.start(t.tracker, 's', t.events);
    await server.edit({ quiet: true, resources: { ...notes(), 'raw://r/1': 'changed' } });
    await server.act('torn', { uri: 'raw://r/1' });
    await consumer.agreesWith(() => server.resources);
  });
});

describe.each(['legacy', 'modern'] as const)('a %s server over HTTP', (era) => {
  it.each([
    ['an event that is no JSON', (text: string) => `data: ${text.slice(0, -3)}\n\n`],
    ['an event that is no message', () => 'data: {"json":true}\n\n'],
    ['a field that does not exist', (text: string) => `dbta: ${text}\n\n`],
    ['a notification without its URI', (text: string) => `data: ${text.replace('"uri"', '"url"')}\n\n`],
    ['a notification about an unknown URI', (text: string) => `data: ${text.replace('raw://r/1', 'raw://q/1')}\n\n`],
    ['a notification of an unknown method', (text: string) => `data: ${text.replace('/updated', '/updaued')}\n\n`],
    ['an event that is too large', (text: string) => `data: ${text.padEnd(300_000)}\n\n`],
  ])('that sends %s: all resources are read again', async (_, frame) => {
    await using upstream = await RawUpstream.start(era, notes());
    await using t = await tracked([upstream.entry('s')], { settings: { maxMessageBytes: 200_000 } });
    await t.isLive('s');
    const consumer = await Consumer.start(t.tracker, 's', t.events);
    upstream.faults.frames = (message) => frame(JSON.stringify(message));
    upstream.put('raw://r/1', 'changed');
    await consumer.agreesWith(() => upstream.resources);
  });

  it('that keeps sending unreadable messages: rereads of its resources are limited', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    await using t = await tracked([upstream.entry('s')]);
    await t.isLive('s');
    await eventually('the first read', () => upstream.times('resources/read raw://r/2') > 0);
    const before = upstream.times('resources/read raw://r/1');
    for (let n = 0; n < 200; n += 1) upstream.write('data: {"half":\n\n');
    await eventually('a read', () => upstream.times('resources/read raw://r/1') > before);
    for (let n = 0; n < 200; n += 1) upstream.write('data: {"half":\n\n');
    upstream.put('raw://r/1', 'changed');
    await t.events.told('raw://r/1');
    expect(upstream.times('resources/read raw://r/1') - before).toBeLessThan(6);
  });

  it.each([
    ['spells the scheme in capitals', (uri: string) => uri.replace('raw:', 'RAW:')],
    ['percent-encodes a digit', (uri: string) => uri.replace('1', '%31')],
    ['names a sub-resource', (uri: string) => `${uri}/part`],
  ])('that %s in its notifications: the subscribed URI is reported', async (_, spells) => {
    await using upstream = await RawUpstream.start(era, notes());
    await using t = await tracked([upstream.entry('s')]);
    await t.isLive('s');
    upstream.faults.spells = spells;
    upstream.put('raw://r/1', 'changed');
    await t.events.told('raw://r/1');
    expect(t.events.updates).toEqual(['raw://r/1']);
  });

  it('that spells the scheme differently in its list: watchers are told of removal and return', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    upstream.faults.shows = (uri) => upstream.resources[uri.replace('RAW:', 'raw:')];
    // In its time no stream is silent for long, so nothing is compared for that reason.
    const clock = new FakeClock();
    await using t = await tracked([upstream.entry('s', { trackResources: false })], { clock });
    await t.isLive('s');
    const seen: string[] = [];
    const { ready, end } = t.tracker.upstream('s').watch('RAW://r/1', (uri) => seen.push(uri));
    await ready;
    expect((await t.tracker.read('s', 'RAW://r/1')).contents).toMatchObject([{ text: 'one' }]);
    clock.advance(1000);
    upstream.list('raw://r/1', undefined);
    await eventually('the removal', () => seen.length > 0);
    await eventually('a read that fails', () =>
      t.tracker.read('s', 'RAW://r/1').then(
        () => false,
        () => true,
      ),
    );
    const told = seen.length;
    clock.advance(1000);
    upstream.list('raw://r/1', 'returned');
    await eventually('the return', () => seen.length > told);
    end();
  });
});
