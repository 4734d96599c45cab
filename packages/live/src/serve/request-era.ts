// Which era a request over HTTP belongs to.
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { modernVersion } from '../session/modern/plain-request.ts';
import type { HttpExchange } from './http-exchange.ts';

export function eraOf(exchange: HttpExchange<unknown>, body: unknown): 'legacy' | 'modern' | 'reject' {
  const version = exchange.header('mcp-protocol-version');
  // With this header a request is a modern one, or refused as one: the SDK need not look at it twice.
  if (version === modernVersion && isRequestLike(body)) return 'modern';
  const method = exchange.header('mcp-method');
  return classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    body,
  }).kind;
}

function isRequestLike(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'method' in body && 'id' in body;
}
