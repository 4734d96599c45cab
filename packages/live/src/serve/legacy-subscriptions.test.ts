// Subscriptions of a 2025-era client that does not wait for responses.
import { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { liveServer } from '../live-server.ts';
import { serveMemory } from './memory.ts';
import { eventually } from '../testing.ts';

const uri = 'a://1';
/** A resource that is always subscribed: its notification shows that earlier ones have arrived. */
const control = 'a://control';

interface Attempt {
  admit(): void;
  fail(): void;
}

/** A server whose subscriptions are acknowledged, or fail, when the test says so. */
async function open() {
  const attempts: Attempt[] = [];
  const updates: string[] = [];
  const attempt = () =>
    new Promise<void>((resolve, reject) => {
      attempts.push({ admit: resolve, fail: () => reject(new Error('The source failed.')) });
    });
  const server = liveServer({
    name: 'test',
    version: '1.0.0',
    log: { warn: () => undefined, error: () => undefined },
    windowMs: 0,
    resources: {
      completes: false,
      authorizes: false,
      permits: () => true,
      resolve: (asked: string) => ({
        canonical: asked,
        topics: [asked],
        watch: () => ({
          ready: asked === control ? Promise.resolve() : attempt(),
          end: () => undefined,
        }),
      }),
      list: async () => ({ items: [] }),
      templates: () => ({ items: [] }),
      completion: () => ({ completer: undefined, permits: () => true }),
      read: async (_caller: unknown, asked: string) => ({ contents: [{ uri: asked, text: '' }] }),
    },
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updates.push(params.uri));
  await client.connect(serveMemory(server));
  await client.subscribeResource({ uri: control });
  const subscribe = () => client.subscribeResource({ uri });
  const attempted = (n: number) => eventually(`attempt ${n}`, () => attempts[n]);
  /** Whether the client is notified of a change now. */
  const isTold = async () => {
    updates.length = 0;
    server.announce(uri);
    server.announce(control);
    await eventually('the control', () => updates.includes(control));
    return updates.includes(uri);
  };
  return { client, subscribe, attempts, attempted, isTold, [Symbol.asyncDispose]: () => client.close() };
}

it('a second request for the same resource is not confirmed before the first', async () => {
  await using scene = await open();
  const answers: string[] = [];
  const first = scene.subscribe().then(() => answers.push('first'));
  const second = scene.subscribe().then(() => answers.push('second'));
  await scene.client.readResource({ uri });
  expect(answers).toEqual([]);
  expect(scene.attempts).toHaveLength(1);
  (await scene.attempted(0)).admit();
  await Promise.all([first, second]);
  expect(await scene.isTold()).toBe(true);
});

it('a request that fails after the client has unsubscribed and subscribed again does not end the new subscription', async () => {
  await using scene = await open();
  const first = scene.subscribe().catch(() => 'failed');
  const early = await scene.attempted(0);
  await scene.client.unsubscribeResource({ uri });
  const second = scene.subscribe();
  const late = await scene.attempted(1);
  early.fail();
  expect(await first).toBe('failed');
  late.admit();
  await second;
  expect(await scene.isTold()).toBe(true);
});

it('a client that unsubscribed and subscribed again while the first request was pending can unsubscribe', async () => {
  await using scene = await open();
  const first = scene.subscribe();
  const early = await scene.attempted(0);
  await scene.client.unsubscribeResource({ uri });
  const second = scene.subscribe();
  const late = await scene.attempted(1);
  early.admit();
  await first;
  expect(await scene.isTold()).toBe(false);
  late.admit();
  await second;
  expect(await scene.isTold()).toBe(true);
  await scene.client.unsubscribeResource({ uri });
  expect(await scene.isTold()).toBe(false);
});
