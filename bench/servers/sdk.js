// The official SDK's own handler: an McpServer per request, and its listen router for updates.
import { createServer } from 'node:http';
import { McpServer, ResourceTemplate, createMcpHandler } from '@modelcontextprotocol/server';
import { template, uriOf, value } from '../items.js';
import { tools } from '../tools.js';
import { nodeListener } from './node-listener.js';

export async function serve({ keepAliveMs }) {
  const handler = createMcpHandler(createMcpServer, {
    maxSubscriptions: Number.POSITIVE_INFINITY,
    ...(keepAliveMs !== undefined && { keepAliveMs }),
  });
  const listener = nodeListener(handler);
  const http = createServer((req, res) => void listener(req, res));
  await new Promise((resolve) => void http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${http.address().port}/mcp`,
    change: (number) => handler.notify.resourceUpdated(uriOf(number)),
  };
}

function createMcpServer() {
  const mcp = new McpServer(
    { name: 'bench', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true } } },
  );
  for (const { name, description, input } of tools) {
    mcp.registerTool(name, { description, inputSchema: input }, () => ({ content: [{ type: 'text', text: 'done' }] }));
  }
  mcp.registerResource('item', new ResourceTemplate(template, { list: undefined }), {}, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(value) }],
  }));
  return mcp;
}
