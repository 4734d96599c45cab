// A fetch with limits on time and size, for requests to authorization servers: the address of an authorization server
// comes from the server, so the answer cannot be trusted to be short.
import type { TimerSource } from '../time/timeout.ts';
import { boundedRequest } from './bounded-request.ts';
import { readUpTo } from './read-up-to.ts';

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
  fetch: typeof globalThis.fetch,
  clock: TimerSource,
  { signal, withinMs = usualMs }: FetchBounds = {},
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    signal?.throwIfAborted();
    return boundedRequest(url, { redirect: 'follow', ...init }, { fetch, clock, withinMs, signal }, wholeAnswer);
  };
}

async function wholeAnswer(response: Response): Promise<Response> {
  const body = await readUpTo(response.body, mostBytes);
  if (body.length > mostBytes) throw new Error(`The answer is larger than ${mostBytes} bytes.`);
  const { status, statusText, headers } = response;
  return new Response(withoutBody.has(status) ? null : body, { status, statusText, headers });
}
