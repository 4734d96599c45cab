// JSON responses of Hono's routes.
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/**
 * With its length: the compression leaves out small responses, for which it takes longer than the rest of the request,
 * and compresses responses of unknown length.
 */
export function json(c: Context, body: unknown, status = 200, headers?: Record<string, string>) {
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  return c.body(text, status as ContentfulStatusCode, {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': length,
  });
}
