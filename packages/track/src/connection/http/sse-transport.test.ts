import { systemClock } from '@tidings/live/time';
import { expect, it } from 'vitest';
import { MemoryLoginStore } from '../../login/memory-login-store.ts';
import { ServerLogin } from '../../login/server-login.ts';
import { emptyLogin } from '../../login/stored-login.ts';
import { SseTransport } from './sse-transport.ts';

it('sends no request to another origin that the server names later', async () => {
  const asked: string[] = [];
  let say: (text: string) => void = () => undefined;
  const stream = new ReadableStream({
    start: (controller) => {
      say = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const transport = new SseTransport(
    { id: 'old', url: 'http://old.example/sse', headers: { 'X-Token': 'secret' }, enabled: true, trackResources: true },
    {
      clock: systemClock,
      fetch: async (input, init) => {
        asked.push(new URL(input instanceof Request ? input.url : input).href);
        if (init?.method === 'POST') return new Response(null, { status: 202 });
        return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } });
      },
      login: undefined,
      maxMessageBytes: 65_536,
      connectMs: 5000,
      failed: () => undefined,
    },
  );
  say('event: endpoint\ndata: /messages\n\n');
  await transport.start();
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
  say('event: endpoint\ndata: http://127.0.0.1:8080/inside\n\n');
  await closed;
  // As a request that was about to be sent.
  await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toThrow('another origin');
  expect(asked).toEqual(['http://old.example/sse']);
});

it('sends the login with its stream and its requests', async () => {
  const seen: (string | null)[] = [];
  const store = new MemoryLoginStore();
  const key = 'http://old.example/sse';
  const tokens = { accessToken: 'the-token', issuer: 'x', obtainedAt: 0 };
  await store.edit(key, async () => ({ ...emptyLogin(key), tokens }));
  const grant = { canRenew: () => false, renew: () => Promise.reject(new Error('It is not renewed.')) };
  const transport = new SseTransport(
    { id: 'old', url: key, headers: {}, enabled: true, trackResources: true },
    {
      clock: systemClock,
      login: new ServerLogin({ key, store, grant, clock: systemClock }),
      fetch: async (_, init) => {
        seen.push(new Headers(init?.headers).get('authorization'));
        if (init?.method === 'POST') return new Response(null, { status: 202 });
        const stream = new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('event: endpoint\ndata: /messages\n\n')),
        });
        return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } });
      },
      maxMessageBytes: 65_536,
      connectMs: 5000,
      failed: () => undefined,
    },
  );
  await transport.start();
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await transport.close();
  expect(seen).toEqual(['Bearer the-token', 'Bearer the-token']);
});
