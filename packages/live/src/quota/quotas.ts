// The port of quotas: how much of a server one caller may use, so that enough is left for others. Sessions ask before
// they take; the implementation decides which callers count as one, and their limits.
import type { Caller } from '../resource/caller.ts';

/**
 * `streams` are open event streams; `watchedUris` the URIs of all streams and sessions of a caller, `watchedCharacters`
 * the sum of their lengths.
 */
export type HeldKind = 'sessions' | 'streams' | 'watchedUris' | 'watchedCharacters';

/** What each caller may use. Default: everything. */
export interface Quotas<Kind extends string = HeldKind> {
  /** Counts `count` requests as in progress, until the returned function is called. Throws `LimitExceeded`. */
  request(caller: Pick<Caller, 'auth'>, count?: number): () => void;
  /** Takes `count` of a kind until they are released. Throws `LimitExceeded`. */
  hold(caller: Pick<Caller, 'auth'>, kind: Kind, count: number): Hold;
}

/** What a caller holds, until it is released. */
export interface Hold {
  /** Takes more. If it throws `LimitExceeded`, nothing was taken. */
  add(count: number): void;
  remove(count: number): void;
  /** Releases everything. Further calls have no effect. */
  release(): void;
}

const nothingHeld: Hold = { add: () => undefined, remove: () => undefined, release: () => undefined };

/** Quotas without limits. */
export const noQuotas: Quotas = { request: () => () => undefined, hold: () => nothingHeld };
