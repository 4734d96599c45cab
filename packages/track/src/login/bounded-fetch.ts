// A fetch for requests to authorization servers, with limits on time and size: the address of an authorization server
// comes from the server, so the answer cannot be trusted to be short.
import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { readUpTo } from '@tidings/live/internal';
import { timeLimit } from '@tidings/live/time';

const usualMs = 15_000;
const mostBytes = 1024 * 1024;
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

interface FetchBounds {
  /** Ends all requests. */
  signal?: AbortSignal | undefined;
  /** How long one request may take. Default: 15 s. */
  withinMs?: number;
}

/** The whole answer is read before it is given. */
export function boundedFetch(
  base: typeof fetch,
  clock: Clock,
  { signal, withinMs = usualMs }: FetchBounds = {},
): FetchLike {
  return async (input, init) => {
    signal?.throwIfAborted();
    const late = () => new Error(`There was no answer within ${withinMs / 1000} s.`);
    const limit = timeLimit(clock, withinMs, signal, late);
    try {
      const response = await base(input, { ...init, signal: limit.signal });
      const body = await readUpTo(response, mostBytes);
      if (body.length > mostBytes) throw new Error(`The answer is larger than ${mostBytes} bytes.`);
      const { status, statusText, headers } = response;
      return new Response(withoutBody.has(status) ? null : body, { status, statusText, headers });
    } finally {
      limit.clear();
    }
  };
}
