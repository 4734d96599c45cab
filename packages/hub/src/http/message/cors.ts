// CORS: only pages of origins listed in the configuration may call the hub.
import type { IncomingMessage, ServerResponse } from 'node:http';

export function isNamedOrigin(origins: readonly string[], { headers: { origin } }: IncomingMessage): boolean {
  return origin !== undefined && origins.some((named) => new URL(named).origin === origin);
}

/** Sets the headers for a permitted origin. True if the request was a preflight and is answered. */
export function answerCors(origins: readonly string[], req: IncomingMessage, res: ServerResponse): boolean {
  const { origin } = req.headers;
  if (origin === undefined || !isNamedOrigin(origins, req)) return false;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', 'ETag, Mcp-Session-Id, Retry-After, WWW-Authenticate');
  res.setHeader('Vary', 'Origin');
  if (req.method !== 'OPTIONS') return false;
  res.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE');
  res.setHeader('Access-Control-Allow-Headers', req.headers['access-control-request-headers'] ?? '*');
  res.writeHead(204).end();
  return true;
}
