// A call through the gateway is made once, whatever the server answers and however its tools change meanwhile.
import { createServer } from 'node:http';
import { RpcError, httpEndpoint, liveServer } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type RunningHub, runningHub } from './running-hub.ts';

const server = liveServer({ name: 'orders', version: '1.0.0' });
const endpoint = httpEndpoint(server);
const http = createServer((req, res) => void endpoint.handle(req, res));
let hub: RunningHub;
let calls = 0;
let meanwhile = async () => {};

function addOrder(description: string, region: z.ZodType = z.string()) {
  return server.tool('order', { description, input: z.object({ region }) }, async () => {
    calls += 1;
    await meanwhile();
    throw new RpcError(-32_051, 'Ordered, but the printer is broken.');
  });
}

beforeAll(async () => {
  server.tool('pay', {}, () => {
    calls += 1;
    throw new RpcError(-32_050, 'Paid, but the receipt needs elicitation, which is not supported here.');
  });
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const url = `http://127.0.0.1:${port}/mcp`;
  hub = await runningHub({ servers: [{ id: 'x', url, headers: {}, enabled: true, trackResources: false }] });
  await hub.isLive('x');
});

afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  await endpoint.close();
  http.closeAllConnections();
  http.close();
});

async function ask(method: string, params: { name?: string; arguments?: object } = {}, headers = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${hub.url}/mcp/x`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  return response.text();
}

const lists = (text: string, isThere = true) =>
  eventually(text, async () => (await ask('tools/list')).includes(text) === isThere);

it('a call is made once if its error looks like a question that could not be asked', async () => {
  calls = 0;
  expect(await ask('tools/call', { name: 'pay', arguments: {} })).toContain('Paid, but');
  expect(calls).toBe(1);
});

it('a call is made once if the schema of its tool has changed before the response', async () => {
  let order = addOrder('first form');
  await lists('first form');
  calls = 0;
  meanwhile = async () => {
    order.remove();
    order = addOrder('second form', z.string().meta({ 'x-mcp-header': 'Region' }));
    await lists('second form');
  };
  const call = { name: 'order', arguments: { region: 'eu' } };
  expect(await ask('tools/call', call, { 'mcp-param-region': 'eu' })).toContain('-32051');
  expect(calls).toBe(1);
  order.remove();
  await lists('second form', false);
});

it('a call is made once if its tool has been removed before the response', async () => {
  const order = addOrder('last form');
  await lists('last form');
  calls = 0;
  meanwhile = async () => {
    order.remove();
    await lists('last form', false);
  };
  expect(await ask('tools/call', { name: 'order', arguments: { region: 'eu' } })).toContain('-32051');
  expect(calls).toBe(1);
});
