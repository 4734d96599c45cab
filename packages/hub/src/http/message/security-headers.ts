// Headers of every response. A route can override them.
import type { ServerResponse } from 'node:http';

/** Headers of responses that are not pages: a browser must not run or frame their content. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** `isNamed`: the request is from an origin listed in `cors`. */
export function setSecurityHeaders(res: ServerResponse, pathname: string, isNamed: boolean): void {
  res.setHeader('Cross-Origin-Resource-Policy', isNamed ? 'cross-origin' : 'same-origin');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  // MCP responses set their own cache headers, and streams keep a header in memory as long as they last.
  if (pathname === '/mcp' || pathname.startsWith('/mcp/')) return;
  res.setHeader('Content-Security-Policy', dataPolicy);
  res.setHeader('Cache-Control', 'no-store');
}
