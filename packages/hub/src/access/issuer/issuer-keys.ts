// The keys of one issuer: fetched when the first token is to be verified, fetched again now and then, and when a token
// names a key that is not among them. However many tokens arrive, the issuer is asked every five seconds at most.
//
//   no keys ──first token──► loading ──► fresh (10 min) ──token or review──► stale: used, and loaded again ──► fresh
//                               │                                              │ not loaded for an hour
//                               └── failed: a pause, in which tokens are UNAVAILABLE ◄──┘
import { type Clock, LiveError, type Log } from '@tidings/live';
import { backoffMs } from '@tidings/live/time';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { type IssuerFetch, issuerKeys } from './issuer-metadata.ts';

const freshMs = 10 * 60_000;
/** Keys that could not be confirmed for this long may have been withdrawn. */
const longestUseMs = 60 * 60_000;
/** Between two loads because of unknown keys. */
const unknownKeyPauseMs = 5000;
const failurePauses = { firstMs: 1000, longestMs: 30_000 };

export interface IssuerKeysDeps {
  fetch: IssuerFetch;
  clock: Clock;
  log: Log;
}

export interface KeySet {
  readonly find: JWTVerifyGetKey;
  has(this: void, id: string): boolean;
  /** The keys of this id as text, or all keys without an id. Changes when the issuer withdraws or replaces one. */
  textOf(this: void, id: string | undefined): string;
  readonly loadedAt: number;
}

export class IssuerKeys {
  readonly issuer: string;
  readonly #deps: IssuerKeysDeps;
  #keys: KeySet | undefined;
  #loading: Promise<KeySet> | undefined;
  #failures = 0;
  #pausedUntil = 0;

  constructor(issuer: string, deps: IssuerKeysDeps) {
    this.issuer = issuer;
    this.#deps = deps;
  }

  /** The key set, loaded again if it lacks this id. Rejects with UNAVAILABLE. */
  async with(id: string | undefined): Promise<KeySet> {
    const keys = this.latest() ?? (await this.#load());
    const isKnown = id === undefined || keys.has(id);
    const isRecent = this.#deps.clock.now() - keys.loadedAt < unknownKeyPauseMs;
    return isKnown || isRecent ? keys : this.#load();
  }

  /** The keys as they were loaded last, unless that was too long ago. Old ones are loaded again in the background. */
  latest(): KeySet | undefined {
    if (this.#keys === undefined) return undefined;
    const age = this.#deps.clock.now() - this.#keys.loadedAt;
    if (age > freshMs) this.#load().catch(() => undefined);
    return age > longestUseMs ? undefined : this.#keys;
  }

  #load(): Promise<KeySet> {
    if (this.#loading !== undefined) return this.#loading;
    if (this.#deps.clock.now() < this.#pausedUntil) return Promise.reject(this.#unavailable());
    this.#loading = this.#loaded().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #loaded(): Promise<KeySet> {
    const { fetch, clock, log } = this.#deps;
    try {
      const [set, { createLocalJWKSet }] = await Promise.all([issuerKeys(this.issuer, fetch), import('jose')]);
      this.#failures = 0;
      this.#keys = { ...keySetOf(set), find: createLocalJWKSet(set), loadedAt: clock.now() };
      return this.#keys;
    } catch (error) {
      this.#failures += 1;
      this.#pausedUntil = clock.now() + backoffMs(this.#failures, failurePauses);
      log.warn({ err: error, issuer: this.issuer }, 'The keys of an issuer could not be loaded.');
      throw this.#unavailable();
    }
  }

  /** The message omits the reason, which may contain addresses of the hub's network; it is in the log. */
  #unavailable(): LiveError {
    const message = `Access tokens of ${this.issuer} cannot be verified now, because its keys could not be loaded: try again in a minute.`;
    return new LiveError('UNAVAILABLE', message);
  }
}

function keySetOf({ keys }: JSONWebKeySet): Pick<KeySet, 'has' | 'textOf'> {
  const has = (id: string) => keys.some(({ kid }) => kid === id);
  // Every verified token keeps this text, so tokens of one key share one.
  const texts = new Map<string | undefined, string>();
  const textOf = (id: string | undefined) => {
    const known = texts.get(id);
    if (known !== undefined) return known;
    const text = JSON.stringify(keys.filter(({ kid }) => id === undefined || kid === id));
    if (id === undefined || has(id)) texts.set(id, text);
    return text;
  };
  return { has, textOf };
}
