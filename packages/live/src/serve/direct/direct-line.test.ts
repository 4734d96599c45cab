import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { afterEach, expect, it } from 'vitest';
import { LiveError } from '../../base/error.ts';
import { type LiveServer, liveServer } from '../../live-server.ts';
import { plainRequest } from '../../session/modern/plain-request.ts';
import { eventually } from '../../testing.ts';
import { memoryClient } from '../memory.ts';

const log = { warn: () => undefined, error: () => undefined };
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const open: Transport[] = [];

afterEach(async () => {
  for (const transport of open.splice(0)) await transport.close();
});

/** A client that sends and receives messages as they are. */
async function connect(server: LiveServer, recognise = plainRequest) {
  const direct: string[] = [];
  const transport = memoryClient(server, undefined, (message) => {
    const request = recognise(message);
    if (request) direct.push(request.method);
    return request;
  });
  const received: JSONRPCMessage[] = [];
  transport.onmessage = (message) => void received.push(message);
  await transport.start();
  open.push(transport);
  const send = (id: string | number, method: string, params: Record<string, unknown>) =>
    transport.send({ jsonrpc: '2.0', id, method, params });
  const cancel = (requestId: string | number) =>
    transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  const answerTo = async (id: string | number) => {
    const isIt = (message: JSONRPCMessage) => 'id' in message && message.id === id;
    await eventually(`the answer to ${id}`, () => received.some(isIt));
    return received.find(isIt);
  };
  const ask = async (id: string | number, method: string, params: object = {}) => {
    await send(id, method, { ...params, _meta });
    return answerTo(id);
  };
  return { ask, answerTo, send, cancel, received, direct };
}

function notes(): LiveServer {
  const server = liveServer({ name: 'notes', version: '1.0.0', log });
  server.resource('note://{name}', {
    ttlMs: 5,
    read: ({ name }) => {
      if (name === 'busy') throw new LiveError('UNAVAILABLE', 'Not now.');
      return name;
    },
    list: () => [{ name: 'a' }, { name: 'b' }],
  });
  return server;
}

it('answers as the SDK does, error or not', async () => {
  const server = notes();
  const [direct, sdk] = [await connect(server), await connect(server, () => undefined)];
  for (const { ask } of [direct, sdk]) {
    await ask('first', 'resources/read', { uri: 'note://a' });
    await ask(1, 'resources/read', { uri: 'note://a' });
    await ask(2, 'resources/list');
    await ask(3, 'resources/read', { uri: 'note://busy' });
    await ask(4, 'resources/read', { uri: 'other://x' });
    await ask(5, 'resources/list', { cursor: 'none' });
    await ask(6, 'resources/read', { uri: 7 });
  }
  expect(direct.received).toEqual(sdk.received);
  expect(direct.received).toHaveLength(7);
  expect(JSON.stringify(direct.received)).toBe(JSON.stringify(sdk.received));
  expect(direct.direct).toHaveLength(6);
});

it('does not set the era of a connection that may still become a 2025-era one', async () => {
  const { ask, send, answerTo } = await connect(notes());
  await ask('probe', 'server/discover');
  const clientInfo = { name: 'old', version: '1' };
  await send(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  expect(await answerTo(1)).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  // On a 2025-era connection, the SDK answers modern requests too: its responses have no resultType.
  const answer = await ask(2, 'resources/read', { uri: 'note://a' });
  expect(answer).toMatchObject({ result: { contents: [{ text: 'a' }] } });
  expect(JSON.stringify(answer)).not.toContain('resultType');
});

it('does not answer a cancelled request', async () => {
  const server = liveServer({ name: 'notes', version: '1.0.0', log });
  let finish: (() => void) | undefined;
  server.resource('note://{name}', {
    read: ({ name }) => (name === 'late' ? new Promise<string>((resolve) => (finish = () => resolve('late'))) : name),
  });
  const { ask, send, cancel, received } = await connect(server);
  await ask(1, 'resources/read', { uri: 'note://a' });
  await send(2, 'resources/read', { uri: 'note://late', _meta });
  await eventually('the read', () => finish !== undefined);
  await cancel(2);
  finish?.();
  await ask(3, 'resources/read', { uri: 'note://a' });
  expect(received.map((message) => 'id' in message && message.id)).toEqual([1, 3]);
});
