// The state of a question belongs to the caller that was asked; to the server all callers are one client.
import { createServer } from 'node:http';
import { httpEndpoint, inputRequired, liveServer } from '@tidings/live';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type RawAnswer, post, rpcRequest } from '../support/wire/raw-http.ts';
import { runningHub } from './running-hub.ts';

/** A modern server that asks, with states that are easy to guess. */
async function askingServer() {
  const server = liveServer({ name: 'asking', version: '1.0.0' });
  const orders: string[] = [];
  server.tool('order', { input: z.object({ what: z.string() }) }, ({ what }, { mcpReq }) => {
    const state = mcpReq.requestState();
    if (typeof state === 'string') return `You get ${orders[Number(state)]}.`;
    orders.push(what);
    const sure = inputRequired.elicit({
      message: 'Sure?',
      requestedSchema: { type: 'object', properties: { yes: { type: 'boolean' } } },
    });
    return inputRequired({ inputRequests: { sure }, requestState: String(orders.length - 1) });
  });
  const endpoint = httpEndpoint(server);
  const http = createServer((req, res) => void endpoint.handle(req, res));
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    http.closeAllConnections();
    http.close();
    await endpoint.close();
    await server.close();
  });
  const address = http.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return { id: 'shop', url: `http://127.0.0.1:${port}/mcp`, headers: {}, enabled: true, trackResources: false };
}

it.each(['/mcp', '/mcp/shop'])('a caller cannot continue the call of another at %s', async (path) => {
  const tools = ['shop_*'];
  await using hub = await runningHub({
    servers: [await askingServer()],
    config: {
      tokens: [
        { env: 'ADA', tools },
        { env: 'BOB', tools },
      ],
    },
    env: { ADA: 'ada', BOB: 'bob' },
  });
  await hub.isLive('shop');
  const name = path === '/mcp' ? 'shop_order' : 'order';
  const order = (token: string, what: string, more: object = {}): Promise<RawAnswer> => {
    const { headers, body } = rpcRequest('modern', 'tools/call', { name, arguments: { what } });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const params = { ...body.params, ...more, _meta };
    return post(`${hub.url}${path}`, { ...body, params }, { ...headers, authorization: `Bearer ${token}` });
  };
  const inputResponses = { sure: { action: 'accept', content: { yes: true } } };
  const asked = await order('ada', 'a secret');
  const requestState = String(asked.message.result?.['requestState']);
  for (const stolen of ['0', requestState, 'tidings-task 0', 'tidings-held.0.0.1']) {
    const { message } = await order('bob', 'nothing', { inputResponses, requestState: stolen });
    expect(JSON.stringify(message), stolen).not.toContain('a secret');
    expect(message.error?.data, stolen).toMatchObject({ code: 'INVALID_PARAMS' });
  }
  const answered = await order('ada', 'a secret', { inputResponses, requestState });
  expect(JSON.stringify(answered.message.result)).toContain('You get a secret.');
});
