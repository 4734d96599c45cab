// A request to an address that a user or another server has named: its answer may never come, or never end.
import { type TimerSource, timeLimit } from '../time/timeout.ts';

export interface RequestBounds {
  fetch?: typeof globalThis.fetch | undefined;
  clock: TimerSource;
  /** How long the request may take, with the reading of the response. */
  withinMs: number;
  /** Ends the request. */
  signal?: AbortSignal | null | undefined;
}

/** The time was over before the response was read. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(withinMs: number) {
    super(`There was no answer within ${withinMs / 1000} s.`);
  }
}

/**
 * Resolves with what `read` makes of the response. Redirects are not followed, unless `init` says so: a redirected POST
 * arrives as a GET, and its secrets are for this address only.
 */
export async function boundedRequest<T>(
  url: string | URL,
  init: RequestInit,
  { fetch = globalThis.fetch, clock, withinMs, signal }: RequestBounds,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const late = () => new NoAnswer(withinMs);
  const limit = timeLimit(clock, withinMs, signal, late);
  try {
    return await read(await fetch(url, { redirect: 'manual', ...init, signal: limit.signal }));
  } catch (error) {
    throw limit.isExceeded ? late() : error;
  } finally {
    limit.clear();
  }
}
