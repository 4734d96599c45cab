// A plain `resources/subscribe` of the 2025 era is answered without the SDK. The SDK handles all other cases, including
// refusals.
import { expect, it } from 'vitest';
import type { ObservedRequest } from '../definition/observe.ts';
import { liveServer } from '../live-server.ts';
import { serveHttp } from './http.ts';

const clientInfo = { name: 'raw', version: '1' };
const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function session() {
  const log = { warn: () => undefined, error: () => undefined };
  const server = liveServer({ name: 'notes', version: '1.0.0', log, limits: { urisPerSubscriber: 2 } });
  server.resource('note://{name}', { read: ({ name }) => name });
  const observed: ObservedRequest[] = [];
  const { url, close } = await serveHttp(server, { observe: (each) => observed.push(each) });
  const post = (body: object, headers: Record<string, string>) =>
    fetch(url, {
      method: 'POST',
      headers: { ...usual, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const opened = await post({ id: 0, method: 'initialize', params }, {});
  await opened.text();
  const headers = {
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  const subscribe = async (uri: unknown, more: Record<string, string> = {}, id: unknown = 1) => {
    const response = await post({ id, method: 'resources/subscribe', params: { uri } }, { ...headers, ...more });
    const text = await response.text();
    const json = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      message: JSON.parse(json) as unknown,
    };
  };
  return { server, observed, subscribe, [Symbol.asyncDispose]: close };
}

it('answers at once with JSON, and calls the observer', async () => {
  await using scene = await session();
  expect(await scene.subscribe('note://a')).toEqual({
    status: 200,
    type: 'application/json',
    message: { jsonrpc: '2.0', id: 1, result: {} },
  });
  expect(scene.server.stats().watched).toBe(2);
  expect(scene.observed.at(-1)).toMatchObject({
    method: 'resources/subscribe',
    params: { uri: 'note://a' },
    client: clientInfo,
    code: undefined,
  });
});

it('leaves refusals to the SDK', async () => {
  await using scene = await session();
  const { message } = await scene.subscribe('other://a');
  expect(message).toMatchObject({ error: { code: -32602, data: { code: 'INVALID_URI' } } });
  expect(scene.observed.at(-1)).toMatchObject({ method: 'resources/subscribe', code: 'INVALID_URI' });
  for (const uri of ['note://a', 'note://b']) await scene.subscribe(uri);
  expect((await scene.subscribe('note://c')).message).toMatchObject({ error: { data: { code: 'LIMIT_EXCEEDED' } } });
});

it('leaves all other requests to the SDK', async () => {
  await using scene = await session();
  expect((await scene.subscribe('note://a', { accept: 'application/json' })).status).toBe(406);
  expect((await scene.subscribe('note://a', { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  expect((await scene.subscribe('note://a', { 'mcp-session-id': 'none' })).status).toBe(404);
  expect((await scene.subscribe(7)).message).toMatchObject({ error: { code: -32602 } });
});
