// A server that sends its last progress together with its response.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runningHub } from './running-hub.ts';

it('the last progress of a call is passed on before its response', async () => {
  const entry = {
    id: 'hasty',
    command: process.execPath,
    args: [fileURLToPath(new URL('../fixtures/hasty-server.js', import.meta.url))],
    env: {},
    enabled: true,
    trackResources: false,
  };
  await using hub = await runningHub({ servers: [entry] });
  await hub.isLive('hasty');
  // Not a client of the SDK, which drops progress that it reads together with the response.
  const response = await fetch(`${hub.url}/mcp/hasty`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'hurry',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'hurry',
        arguments: {},
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
          progressToken: 1,
        },
      },
    }),
  });
  const messages = [...(await response.text()).matchAll(/^data: (.+)$/gm)].map(([, text = '']) => JSON.parse(text));
  expect(messages.map(({ params, result }) => params?.progress ?? result?.content[0].text)).toEqual([1, 2, 3, 'Done.']);
});
