// Authenticates a request: by its bearer token, by an access token of an issuer, or by the session of a logged-in
// browser. Wrong credentials are counted and logged; after a few of them, their address is paused for a while.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Clock, Log } from '@tidings/live';
import { BoundedSet } from '@tidings/live/portable';
import { bearerTokenOf } from '@tidings/live/internal';
import { type BrowserSession, parsedSession, sessionLifeMs } from '../../access/token/browser-session.ts';
import { type Guess, GuessLimit } from '../../access/token/guess-limit.ts';
import type { Principal } from '../../access/grant.ts';
import type { Callers } from '../../access/callers.ts';
import { ForgedToken } from '../../access/issuer/token-refused.ts';
import type { Tokens } from '../../access/token/tokens.ts';
import type { Forwarded } from '../message/forwarded.ts';
import { cookieOf } from './session-cookie.ts';

interface AdmissionDeps {
  callers: () => Callers;
  forwarded: Forwarded;
  clock: Clock;
  log: Log;
}

export interface Admitted {
  readonly principal: Principal;
  /** The session of a logged-in browser. */
  readonly session?: BrowserSession | undefined;
  /** The owner of the credentials with which another node admitted the request. */
  readonly passedFor?: string | undefined;
  /** Whether it was given gateways of a user. */
  readonly isUser?: boolean;
}

/** Logged-out sessions are remembered until they would have expired. */
const mostLoggedOut = 10_000;
const mostSeen = 10_000;

export class Admission {
  readonly #deps: AdmissionDeps;
  readonly #guesses: GuessLimit;
  readonly #loggedOut = new Map<string, number>();
  /** Signed sessions that were valid here; the most recently used is the last. */
  readonly #seen = new BoundedSet<string>(mostSeen);

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
    this.#guesses = new GuessLimit(deps.clock);
  }

  /**
   * Undefined for a request without valid credentials. A promise only for an access token that was not verified before:
   * every request asks this. Throws or rejects while its address is paused, and with `TokenRefused`.
   */
  of(req: IncomingMessage, path: string): Admitted | undefined | Promise<Admitted | undefined> {
    const { callers, forwarded } = this.#deps;
    const { tokens, issuers } = callers();
    const { anonymous } = tokens;
    if (anonymous !== undefined) return { principal: anonymous };
    const bearer = bearerTokenOf(req);
    if (bearer !== undefined) {
      const known = issuers.known(bearer, path);
      if (known === undefined && issuers.areNamedBy(bearer)) return this.#verified(req, bearer, path);
      const principal = known ?? this.#checked(req, bearer, () => tokens.bearerOf(bearer));
      return principal && { principal };
    }
    const cookie = cookieOf(req, forwarded.isTls(req));
    if (cookie === undefined || parsedSession(cookie) === undefined) return undefined;
    const found = this.#ownerOf(req, cookie);
    return found && this.#isCurrent(found.session) ? found : undefined;
  }

  /** Whether an admitted caller would be admitted again on the same terms. */
  admits({ principal, session }: Admitted): boolean {
    return this.#deps.callers().admits(principal) && (session === undefined || this.#isCurrent(session));
  }

  /** The session for a browser that logs in with this token; undefined for a wrong one. Throws while its address is paused. */
  logIn(req: IncomingMessage, token: string): { value: string; principal: Principal } | undefined {
    const { callers, clock } = this.#deps;
    const { tokens } = callers();
    const session = { id: randomBytes(12).toString('base64url'), expiresAt: clock.date() + sessionLifeMs };
    const found = this.#checked(req, token, () => {
      const value = tokens.sessionFor(token, session);
      const principal = tokens.bearerOf(token);
      return value === undefined || principal === undefined ? undefined : { value, principal };
    });
    if (found !== undefined) this.#seen.add(found.value);
    return found;
  }

  logOut({ id, expiresAt }: BrowserSession): void {
    this.#loggedOut.set(id, expiresAt);
    const now = this.#deps.clock.date();
    for (const [other, end] of this.#loggedOut) {
      if (end > now && this.#loggedOut.size <= mostLoggedOut) break;
      this.#loggedOut.delete(other);
    }
  }

  /**
   * A session is signed with a token, so a forged session counts as a wrong guess of that token. Sessions that were valid
   * before are exempt: their users stay logged in while the address is paused.
   */
  #ownerOf(req: IncomingMessage, cookie: string): ReturnType<Tokens['ofSession']> {
    const look = () => this.#deps.callers().tokens.ofSession(cookie);
    const found = this.#seen.delete(cookie) ? look() : this.#checked(req, cookie, look);
    if (found !== undefined) this.#seen.add(cookie);
    return found;
  }

  #isCurrent({ id, expiresAt }: BrowserSession): boolean {
    return expiresAt > this.#deps.clock.date() && !this.#loggedOut.has(id);
  }

  /**
   * Tokens from a paused address are verified too: signatures cannot be guessed, and other clients behind the address
   * get new tokens every few minutes. A forged token is reported like a wrong one; an expired one is usual.
   */
  async #verified(req: IncomingMessage, token: string, path: string): Promise<Admitted | undefined> {
    try {
      const principal = await this.#deps.callers().issuers.verified(token, path);
      // The configuration may have been edited meanwhile.
      return principal && this.#deps.callers().admits(principal) ? { principal } : undefined;
    } catch (error) {
      if (error instanceof ForgedToken) this.#forged({ address: this.#deps.forwarded.addressOf(req), token });
      throw error;
    }
  }

  /** While the address is paused, forged tokens are neither counted nor logged: they would fill the log. */
  #forged(guess: Guess): void {
    if (this.#guesses.pauseFor(guess) === 0) this.#report(guess.address, this.#guesses.wrong(guess));
  }

  #checked<T>(req: IncomingMessage, token: string, look: () => T | undefined): T | undefined {
    const guess = { address: this.#deps.forwarded.addressOf(req), token };
    this.#guesses.assertNotPaused(guess);
    const found = look();
    if (found === undefined) this.#report(guess.address, this.#guesses.wrong(guess));
    return found;
  }

  #report(address: string, wrong: { pauseMs: number; mistakes: number } | undefined): void {
    if (wrong === undefined) return;
    this.#deps.log.warn({ address, ...wrong }, 'A wrong token was refused.');
  }
}
