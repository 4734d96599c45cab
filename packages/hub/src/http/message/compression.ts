// Compression of long responses, with what Hono's lacks: headers that are true of HEAD, and of pages that may call the hub.
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX, compress } from 'hono/compress';

/** For a shorter response, compression takes longer than the rest of the request. */
const shortestBytes = 1024;

export function compression(): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const compressLong = compress({ threshold: shortestBytes });
  return async (c, next) => {
    await compressLong(c, next);
    const { headers } = c.res;
    const isLong = Number(headers.get('Content-Length')) >= shortestBytes;
    if (c.req.method === 'HEAD' && isLong && COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get('Content-Type') ?? '')) {
      headers.set('Vary', 'Accept-Encoding');
      // The response to GET may be compressed: then its length is not known.
      if (c.req.header('Accept-Encoding') !== undefined) headers.delete('Content-Length');
    }
    // Setting `Vary` replaces the header that was set before, for CORS.
    const before = c.env.outgoing.getHeader('Vary');
    if (headers.has('Vary') && before !== undefined) headers.append('Vary', String(before));
  };
}
