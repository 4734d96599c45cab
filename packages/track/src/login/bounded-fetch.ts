// A fetch for requests to authorization servers, with limits on time and size: the address of an authorization server
// comes from the server, so the answer cannot be trusted to be short.
import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';

const longestMs = 15_000;
const mostBytes = 1024 * 1024;
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** The whole answer is read before it is given. `signal` ends all requests. */
export function boundedFetch(base: typeof fetch, clock: Clock, signal?: AbortSignal): FetchLike {
  return async (input, init) => {
    signal?.throwIfAborted();
    const own = new AbortController();
    const stop = () => own.abort(signal?.reason);
    signal?.addEventListener('abort', stop);
    const late = () => own.abort(new Error(`There was no answer within ${longestMs / 1000} s.`));
    const timer = clock.after(longestMs, late);
    try {
      const response = await base(input, { ...init, signal: own.signal });
      const body = await bodyOf(response);
      const { status, statusText, headers } = response;
      return new Response(withoutBody.has(status) ? null : body, { status, statusText, headers });
    } finally {
      timer.cancel();
      signal?.removeEventListener('abort', stop);
    }
  };
}

async function bodyOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw new Error(`The answer is larger than ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
