// The era that an HTTP request belongs to.
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { isObject } from '../../portable/is-object.ts';
import { modernVersion } from '../../portable/protocol-version.ts';
import type { HttpExchange } from './http-exchange.ts';

export function eraOf(exchange: HttpExchange<unknown>, body: unknown): 'legacy' | 'modern' | 'reject' {
  const version = exchange.header('mcp-protocol-version');
  // With this header, the SDK accepts or refuses a request as a modern one, so it need not classify it.
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
  return isObject(body) && 'method' in body && 'id' in body;
}
