// The port of quotas: what one caller may use of a server, so that enough is left for the others. Sessions ask before
// they take; which callers count as one, and how much they get, is decided behind it.
import type { Caller } from '../resource/caller.ts';

/**
 * `streams` are open event streams; `watchedUris` are those of all streams and sessions together, `watchedCharacters` the
 * sum of their lengths.
 */
export type HeldKind = 'sessions' | 'streams' | 'watchedUris' | 'watchedCharacters';

/** What each caller may use. Default: all there is. */
export interface Quotas<Kind extends string = HeldKind> {
  /** Counts requests that are being answered. Throws `LimitExceeded`; returns how to say that they were. */
  request(caller: Pick<Caller, 'auth'>, count?: number): () => void;
  /** Takes so many until they are given back. Throws `LimitExceeded`. */
  hold(caller: Pick<Caller, 'auth'>, kind: Kind, count: number): Hold;
}

/** What a caller holds, until it is released. */
export interface Hold {
  /** Takes more. Throws `LimitExceeded`, and then nothing has changed. */
  add(count: number): void;
  remove(count: number): void;
  /** Gives everything back; a second time does nothing. */
  release(): void;
}

const nothingHeld: Hold = { add: () => undefined, remove: () => undefined, release: () => undefined };

/** For servers that need none. */
export const noQuotas: Quotas = { request: () => () => undefined, hold: () => nothingHeld };
