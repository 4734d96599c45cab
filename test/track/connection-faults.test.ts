// Servers whose connections, sessions or streams fail without notice. Their subscribers must get the current content,
// and the status must be correct.
import { eventually } from '@tidings/live/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FaultyProxy } from '../support/network/faulty-proxy.ts';
import { RawUpstream } from '../support/wire/raw-upstream.ts';
import { Consumer } from './consumer.ts';
import { type Tracked, tracked } from './tracked.ts';

const notes = () => Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`raw://r/${name}`, `text of ${name}`]));
const fastPolling = { poll: { usualMs: 300, shortestMs: 100, longestMs: 1000 } };

async function followed(
  upstream: RawUpstream,
  { url = upstream.url, settings = {} }: { url?: string; settings?: object } = {},
): Promise<Tracked & { consumer: Consumer }> {
  const t = await tracked([upstream.entry('s', { url })], { settings });
  await t.isLive('s');
  return { ...t, consumer: await Consumer.start(t.tracker, 's', t.events) };
}

describe.each(['legacy', 'modern'] as const)('the tools of a %s server', (era) => {
  it('are read again when a stream of notifications was away', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    upstream.tools = ['one'];
    await using t = await tracked([upstream.entry('s')]);
    await t.isLive('s');
    const { definitions } = t.tracker.upstream('s');
    onTestFinished(definitions.follow(() => undefined));
    const names = () => definitions.offered('tools').map(({ name }) => name);
    await eventually('the first tools', () => names().length === 1);
    upstream.tools = ['one', 'two'];
    upstream.endStreams();
    await eventually('the second tool', () => names().includes('two'), 10_000);
  });

  it('are listed again after an error', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    upstream.tools = ['one'];
    upstream.faults.error = (method) =>
      method === 'tools/list' ? { code: -32603, message: 'The list is broken.' } : undefined;
    await using t = await tracked([upstream.entry('s')]);
    await t.isLive('s');
    const { definitions } = t.tracker.upstream('s');
    onTestFinished(definitions.follow(() => undefined));
    await eventually('the error', () => upstream.times('tools/list') > 0);
    upstream.faults.error = () => undefined;
    await eventually('the tools', () => definitions.offered('tools').length === 1, 10_000);
  });
});

describe('a listen stream that is opened again', () => {
  it('is followed by another reading of the list, which may have changed before it was acknowledged', async () => {
    await using upstream = await RawUpstream.start('modern', notes());
    await using t = await followed(upstream);
    await eventually('the list to be read after the stream opened', () => upstream.times('resources/list') === 2);
    upstream.faults.honors = () => {
      upstream.resources['raw://r/new'] = 'listed without a stream';
      return true;
    };
    const before = upstream.times('subscriptions/listen');
    upstream.endStreams();
    await eventually('a new stream', () => upstream.times('subscriptions/listen') > before);
    await t.consumer.agreesWith(() => upstream.resources, 10_000);
  });
});

describe('a 2025-era notification stream', () => {
  it.each([405, 409, 500])(
    'refused with HTTP %i is requested again, and everything is polled meanwhile',
    async (status) => {
      await using upstream = await RawUpstream.start('legacy', notes());
      await using t = await followed(upstream, { settings: fastPolling });
      upstream.faults.streamStatus = status;
      upstream.endStreams();
      await eventually('the refusal', () => upstream.times('GET') >= 2);
      upstream.put('raw://r/a', 'changed without a stream');
      await t.consumer.agreesWith(() => upstream.resources);
      await eventually('the detail', () => t.status('s').detail.includes('polled'));
      upstream.faults.streamStatus = 200;
      await eventually('a stream', () => upstream.streams === 1);
      await eventually('no polling', () => t.status('s').polled === 0 && t.status('s').detail === '');
      upstream.put('raw://r/b', 'changed later');
      await t.consumer.agreesWith(() => upstream.resources);
    },
  );

  it('that opens only after the lists were read leads to another reading of the lists', async () => {
    await using upstream = await RawUpstream.start('legacy', notes());
    upstream.faults.streamStatus = 503;
    await using t = await followed(upstream, { settings: fastPolling });
    upstream.resources['raw://r/new'] = 'listed without a stream';
    upstream.faults.streamStatus = 200;
    await t.consumer.agreesWith(() => upstream.resources, 10_000);
  });

  it('answered with an HTML page is requested again less often than resources are polled', async () => {
    await using upstream = await RawUpstream.start('legacy', notes());
    upstream.faults.streamPage = '<title>Welcome</title>';
    await using t = await followed(upstream, { settings: fastPolling });
    expect(t.status('s')).toMatchObject({ subscribed: 0, polled: 5 });
    upstream.put('raw://r/a', 'changed without a stream');
    await t.consumer.agreesWith(() => upstream.resources);
    expect(upstream.times('GET')).toBeLessThan(upstream.times('resources/read raw://r/a'));
    upstream.faults.streamPage = undefined;
    await eventually('a stream', () => t.status('s').subscribed === 5);
    upstream.put('raw://r/b', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
  });

  it('refused with 409 several times leads to a new session', async () => {
    await using upstream = await RawUpstream.start('legacy', notes());
    await using t = await followed(upstream, { settings: fastPolling });
    upstream.faults.streamStatus = 409;
    upstream.endStreams();
    await eventually('the refusals', () => upstream.times('GET') >= 5);
    upstream.faults.streamStatus = 200;
    await eventually('a new session', () => upstream.times('initialize') === 2 && t.status('s').subscribed === 5);
    upstream.put('raw://r/b', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
  });

  it('refused with 410 because the session is gone leads to a new session', async () => {
    await using upstream = await RawUpstream.start('legacy', notes());
    await using t = await followed(upstream);
    upstream.faults.sessionStatus = 410;
    upstream.faults.streamStatus = 410;
    upstream.endStreams();
    upstream.resources['raw://r/a'] = 'changed unheard';
    await eventually('a new session', () => upstream.times('initialize') >= 2);
    upstream.faults.sessionStatus = 200;
    upstream.faults.streamStatus = 200;
    await t.consumer.agreesWith(() => upstream.resources);
  });

  it('without any response is replaced by polling', async () => {
    await using upstream = await RawUpstream.start('legacy', notes());
    await using t = await followed(upstream, { settings: fastPolling });
    upstream.faults.hangs = (method) => method === 'GET';
    upstream.endStreams();
    await eventually('the question', () => upstream.times('GET') >= 2);
    upstream.put('raw://r/a', 'changed without a stream');
    await t.consumer.agreesWith(() => upstream.resources);
  });
});

describe('a server that comes back in another era', () => {
  // Every poll is answered, but with an error. These errors must not count as signs of health.
  it.each([
    ['legacy', 'modern', {}],
    ['modern', 'legacy', {}],
    ['modern', 'legacy', fastPolling],
  ] as const)('%s, then %s, is followed again (%o)', async (before, after, settings) => {
    await using upstream = await RawUpstream.start(before, notes());
    await using t = await followed(upstream, { settings });
    upstream.era = after;
    upstream.endStreams();
    upstream.resources['raw://r/a'] = 'changed meanwhile';
    await eventually('the other era', () => t.status('s').era === after && t.status('s').state === 'live');
    await t.consumer.agreesWith(() => upstream.resources);
    upstream.put('raw://r/b', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
    expect(t.status('s').subscribed).toBe(5);
  });
});

describe.each(['legacy', 'modern'] as const)('a %s server over HTTP without', (era) => {
  it('resource templates is followed', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    upstream.faults.lacks = (method) => method === 'resources/templates/list';
    await using t = await followed(upstream);
    expect(t.status('s')).toMatchObject({ subscribed: 5, detail: '' });
    upstream.put('raw://r/a', 'changed');
    await t.consumer.agreesWith(() => upstream.resources);
  });

  it('a list of resources is live, can be read from, and shows no problem', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    upstream.faults.lacks = (method) => method === 'resources/list';
    await using t = await followed(upstream);
    expect(t.status('s')).toMatchObject({ state: 'live', resources: 0, detail: '' });
    const { contents } = await t.tracker.upstream('s').read('raw://r/a');
    expect(contents).toMatchObject([{ uri: 'raw://r/a' }]);
  });
});

describe.each(['legacy', 'modern'] as const)('connections of a %s server', (era) => {
  it('that are reset repeatedly are replaced, and readers get the current content', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    await using proxy = await FaultyProxy.open(upstream.url);
    await using t = await followed(upstream, { url: proxy.url });
    for (let n = 0; n < 8; n += 1) {
      await eventually('a connection', () => proxy.connections.length > 0);
      upstream.put('raw://r/a', `round ${n}`);
      proxy.cut();
    }
    await t.consumer.agreesWith(() => upstream.resources);
    await t.isLive('s');
    upstream.put('raw://r/b', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
  });

  it('that are half closed are replaced, and readers get the current content', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    await using proxy = await FaultyProxy.open(upstream.url);
    await using t = await followed(upstream, { url: proxy.url });
    proxy.halfClose();
    upstream.put('raw://r/a', 'changed unheard');
    await t.consumer.agreesWith(() => upstream.resources);
    upstream.put('raw://r/b', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
  });

  it('whose bytes are corrupted for a while lead to the current content afterwards', async () => {
    await using upstream = await RawUpstream.start(era, notes());
    await using proxy = await FaultyProxy.open(upstream.url);
    await using t = await followed(upstream, { url: proxy.url });
    proxy.affectNew({ corruptEvery: 37 });
    proxy.affect({ corruptEvery: 37 });
    const before = upstream.requests.length;
    let changes = 0;
    await eventually('requests with corrupted responses', () => {
      changes += 1;
      upstream.put(`raw://r/${'abcde'[changes % 5] ?? 'a'}`, `change ${changes}`);
      return upstream.requests.length >= before + 10;
    });
    proxy.mend();
    await t.consumer.agreesWith(() => upstream.resources);
    upstream.put('raw://r/b', 'changed later');
    await t.consumer.agreesWith(() => upstream.resources);
  });
});

describe('connections that die silently, while new ones work', () => {
  const quickHealth = { everyMs: 600, idleMs: 600, answerMs: 500, shortestPulseMs: 1000 };

  it('are detected by polls', async () => {
    await using upstream = await RawUpstream.start('modern', notes());
    upstream.faults.honors = () => false;
    upstream.faults.ttlMs = 100;
    await using proxy = await FaultyProxy.open(upstream.url);
    await using t = await followed(upstream, { url: proxy.url, settings: { ...fastPolling, health: quickHealth } });
    const polls = () => upstream.requests.length;
    const before = polls();
    await eventually('some polls', () => polls() > before + 10);
    proxy.affect('blackHole');
    for (const uri of Object.keys(upstream.resources)) upstream.resources[uri] = 'changed unheard';
    await t.consumer.agreesWith(() => upstream.resources);
  });

  it.each(['legacy', 'modern'] as const)(
    'are detected although reads of a %s server succeed on new connections',
    async (era) => {
      await using upstream = await RawUpstream.start(era, notes());
      await using proxy = await FaultyProxy.open(upstream.url);
      await using t = await followed(upstream, { url: proxy.url, settings: { health: quickHealth } });
      // These reads are answered on new connections, so they could hide that the old ones are dead.
      let reads = 0;
      const reading = setInterval(() => {
        reads += 1;
        t.tracker.read('s', `raw://other/${reads}`).catch(() => undefined);
      }, 100);
      onTestFinished(() => clearInterval(reading));
      proxy.affect('blackHole');
      upstream.put('raw://r/a', 'changed unheard');
      await t.consumer.agreesWith(() => upstream.resources);
    },
  );
});
