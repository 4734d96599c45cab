// Pages from elsewhere: none may call the hub, unless its origin was named.
import type { IncomingMessage, ServerResponse } from 'node:http';

export function isNamedOrigin(origins: readonly string[], { headers: { origin } }: IncomingMessage): boolean {
  return origin !== undefined && origins.some((named) => new URL(named).origin === origin);
}

/** Says so to a page that may. Whether that was all: a preflight is answered here. */
export function answerCors(origins: readonly string[], req: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = req.headers;
  if (origin === undefined || !isNamedOrigin(origins, req)) return false;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', 'ETag, Mcp-Session-Id');
  res.setHeader('Vary', 'Origin');
  if (req.method !== 'OPTIONS') return false;
  res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE');
  res.setHeader('Access-Control-Allow-Headers', req.headers['access-control-request-headers'] ?? '*');
  res.writeHead(204).end();
  return true;
}
