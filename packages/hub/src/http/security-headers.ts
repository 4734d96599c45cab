// Headers of every answer. What a route sets itself takes the place of these.
import type { ServerResponse } from 'node:http';

/** For answers that are no pages: nothing in them is to be run or framed, should a browser show them. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";

/** `isNamed`: the page that asks is of an origin named in `cors`. */
export function setSecurityHeaders(res: ServerResponse, pathname: string, isNamed: boolean): void {
  res.setHeader('Cross-Origin-Resource-Policy', isNamed ? 'cross-origin' : 'same-origin');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Referrer-Policy', 'no-referrer');
  // MCP's answers have a say of their own about caches, and streams keep what is set here as long as they last.
  if (pathname === '/mcp' || pathname.startsWith('/mcp/')) return;
  res.setHeader('Content-Security-Policy', dataPolicy);
  res.setHeader('Cache-Control', 'no-store');
}
