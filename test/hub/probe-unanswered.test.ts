// A server over HTTP that speaks both eras, and did not answer the probe when the hub connected to it, as on a busy
// machine: its shared session is of the 2025 era, and sessions that are opened later are of 2026-07-28.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { httpEndpoint, liveServer } from '@tidings/live';
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { runningHub } from './running-hub.ts';

it('a server that did not answer the probe in time is called for clients that can be asked', async () => {
  let isBusy = true;
  const server = liveServer({ name: 'busy', version: '1.0.0' });
  let calls = 0;
  server.tool('count', { input: z.object({}) }, () => `call ${(calls += 1)}`);
  const endpoint = httpEndpoint(server);
  const http = createServer((req, res) => {
    if (!isBusy || req.headers['mcp-method'] !== 'server/discover') void endpoint.handle(req, res);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${Object(http.address()).port}/mcp`;
  await using hub = await runningHub({
    servers: [{ id: 'busy', url, headers: {}, enabled: true, trackResources: true }],
  });
  await eventually('the server to be connected', () => hub.status('busy')?.state === 'live');
  expect(hub.status('busy')?.era).toBe('legacy');
  isBusy = false;
  for (const expected of ['call 1', 'call 2']) expect(await count(`${hub.url}/mcp/busy`)).toContain(expected);
  expect(hub.status('busy')).toMatchObject({ era: 'modern', connects: 2 });
  http.closeAllConnections();
  http.close();
});

/** The answer to a call of a client that can be asked, as the page is one. */
async function count(url: string): Promise<string> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    'io.modelcontextprotocol/clientInfo': { name: 'page', version: '1.0.0' },
  };
  const params = { name: 'count', arguments: {}, _meta };
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'count',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return (await fetch(url, { method: 'POST', headers, body })).text();
}
