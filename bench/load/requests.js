// The two requests of the load, as bytes.
import { uriOf } from '../items.js';

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};

export function listenRequest(url, id, items) {
  const notifications = { resourceSubscriptions: items.map(uriOf) };
  return post(url, { jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications, _meta: meta } });
}

export function readRequest(url, id, item) {
  const uri = uriOf(item);
  return post(url, { jsonrpc: '2.0', id, method: 'resources/read', params: { uri, _meta: meta } }, [
    `Mcp-Name: ${uri}`,
  ]);
}

function post(url, message, moreHeaders = []) {
  const { host, pathname } = new URL(url);
  const body = JSON.stringify(message);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    'Accept: application/json, text/event-stream',
    'Accept-Language: *',
    'Content-Type: application/json',
    'MCP-Protocol-Version: 2026-07-28',
    `Mcp-Method: ${message.method}`,
    'User-Agent: bench',
    ...moreHeaders,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
