// Checks regularly whether a server still answers: more often while notifications are expected, and at once after a
// failure. An error response counts as an answer. Only silence and failed connections count as failures, and only
// several in a row lose the session: a process may be busy and gets a minute; over a network the check is repeated at
// once, with copies on other connections even before the first times out, since several kept-open connections may be
// dead. A request that was in progress when the silence began excuses it, because many servers handle one request at a
// time. A request that began later does not, or a dead server would never be noticed.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';
import { delay } from '@tidings/live/time';
import { withRetransmission } from '../../base/with-retransmission.ts';
import { cancellable } from '../../base/cancellable-request.ts';
import { needsLogin } from '../error/connect-failure.ts';
import { describeError } from '../error/describe-error.ts';
import { ping } from './ping.ts';
import type { Loss, Session } from './session.ts';

const patience = { http: 3, stdio: 10, memory: 10 };
/** Pause between two checks in a row. */
const againMs = 100;
/** Over HTTP: copies of an unanswered check, each after this fraction of `answerMs`. */
const copies = 2;
const copyAfter = 1 / 3;
/** If a copy is answered this much sooner than the first check, the connection of the first is dead. */
const soonerMs = 250;
/** The shortest time between an answer and the next check, even after failures. */
const shortestMs = 1000;
/** Messages of the server postpone a check, at most for this many intervals. */
const longestDeferral = 4;
/** HTTP status of a server that is overloaded, not lost. */
const tooManyRequests = 429;
const otherVersion: ReadonlySet<number> = new Set([ProtocolErrorCode.UnsupportedProtocolVersion]);
/** Error codes which show that a server does not speak 2026-07-28 any more. */
const otherEra: ReadonlySet<number> = new Set([ProtocolErrorCode.MethodNotFound, ProtocolErrorCode.InvalidRequest]);

export interface HealthRhythm {
  /**
   * Interval of the checks while notifications are expected. Shorter than an idle connection is kept (3 s if the server
   * keeps it for the usual 5 s, else 4 s), so that the check uses a connection as old as the streams, and fails if all
   * of those are dead.
   */
  everyMs: number;
  /** Interval of the checks otherwise. */
  idleMs: number;
  /** How long an answer may take. */
  answerMs: number;
  /** Comments on a stream that follow each other sooner than this are no measure of its health. */
  shortestPulseMs: number;
}

export interface HealthDeps {
  clock: Clock;
  random: () => number;
  health: HealthRhythm;
}

export interface HealthOptions extends Pick<Session, 'client' | 'era' | 'transport'> {
  /** When the oldest forwarded request without an answer began. */
  busySince(this: void): number | undefined;
  /** When any message last arrived. */
  messageAt(this: void): number;
  /** The server answers again, after a silence that began at `since`. */
  recovered(this: void, since: number): void;
  lost(this: void, reason: string, loss: Loss): void;
}

/** `overtaken`: only a copy on another connection was answered. */
type HealthVerdict = 'answered' | 'overtaken' | 'silent' | 'failed' | 'changed';

export class HealthCheck {
  readonly #options: HealthOptions;
  readonly #deps: HealthDeps;
  #failures = 0;
  /** The last failure. */
  #reason = '';
  #needsLogin = false;
  #silentSince: number | undefined;
  #timer: Timer | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #checkedAt: number;
  #isAsking = false;
  /** A failure was reported during the check in progress, which may have been answered before it. */
  #isDueAgain = false;
  #isExpecting = false;
  #isStopped = false;

  constructor(options: HealthOptions, deps: HealthDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#checkedAt = deps.clock.now();
    this.#wait();
  }

  /** Notifications are expected or not: if they are, a dead connection has to be noticed soon. */
  expect(isExpecting: boolean): void {
    if (isExpecting === this.#isExpecting) return;
    this.#isExpecting = isExpecting;
    if (!this.#isAsking) this.#wait();
  }

  /** Checks at once after a failure, but at most once a second. */
  checkNow(): void {
    if (this.#isStopped) return;
    if (this.#isAsking) {
      this.#isDueAgain = true;
      return;
    }
    const { clock } = this.#deps;
    this.#timer?.cancel();
    const left = this.#answeredAt + shortestMs - clock.now();
    if (left > 0) this.#timer = clock.after(left, () => void this.#check());
    else void this.#check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  #wait(): void {
    this.#timer?.cancel();
    if (this.#isStopped) return;
    const { clock, health, random } = this.#deps;
    const usualMs = (this.#isExpecting ? health.everyMs : health.idleMs) * (0.9 + random() * 0.2);
    const isSoon = (this.#failures > 0 || this.#silentSince !== undefined) && this.#options.transport === 'http';
    const ask = () => {
      // A server that has just sent something is checked only after a quiet interval. The messages may all be refusals,
      // so the check is not postponed for ever.
      const quietMs = clock.now() - this.#options.messageAt();
      const isOverdue = clock.now() - this.#checkedAt >= usualMs * longestDeferral;
      const isSuspicious = this.#silentSince !== undefined || this.#failures > 0;
      if (quietMs > usualMs / 2 || isOverdue || isSuspicious) void this.#check();
      else this.#timer = clock.after(usualMs - quietMs, ask);
    };
    this.#timer = clock.after(isSoon ? againMs : usualMs, ask);
  }

  async #check(): Promise<void> {
    const askedAt = this.#deps.clock.now();
    const wasExcused = this.#isExcused(askedAt);
    this.#isAsking = true;
    this.#isDueAgain = false;
    this.#checkedAt = askedAt;
    const verdict = await this.#ask();
    this.#isAsking = false;
    if (this.#isStopped) return;
    // A server under load may be late with this answer and still send other messages. Or the connection of the check is
    // dead, and others may be as well: the next check shows which.
    const isHeard = verdict === 'silent' && this.#options.messageAt() > askedAt;
    if (isHeard) this.#failures = 0;
    if (isHeard || verdict === 'overtaken') this.#silentSince ??= askedAt;
    if (verdict === 'changed')
      return this.#lose(`The server does not speak its protocol version any more: ${this.#reason}`);
    if (verdict === 'answered' || verdict === 'overtaken') this.#answered();
    else if (!isHeard && this.#countFailure(verdict, askedAt, wasExcused)) {
      return this.#lose(verdict === 'silent' ? 'The server does not answer any more.' : this.#reason);
    }
    if (this.#isDueAgain && this.#failures === 0) this.checkNow();
    else this.#wait();
  }

  async #ask(): Promise<HealthVerdict> {
    const { transport } = this.#options;
    const { clock, health } = this.#deps;
    const pausesMs = transport === 'http' ? Array.from({ length: copies }, () => health.answerMs * copyAfter) : [];
    let sent = 0;
    let answered = 0;
    const ask = async (signal: AbortSignal) => {
      sent += 1;
      const copy = sent;
      const own = await this.#send(signal);
      if (copy > 1) await delay(clock, soonerMs);
      answered ||= copy;
      return own;
    };
    const verdict = await withRetransmission(clock, pausesMs, () => cancellable(ask));
    return verdict === 'answered' && answered > 1 ? 'overtaken' : verdict;
  }

  async #send(signal: AbortSignal): Promise<HealthVerdict> {
    const { client, era } = this.#options;
    try {
      await ping(client, era, { timeout: this.#deps.health.answerMs, signal });
      return 'answered';
    } catch (error) {
      // A cancelled check is not a failure.
      if (!signal.aborted) {
        this.#reason = describeError(error);
        this.#needsLogin = needsLogin(error);
      }
      return verdictOn(error, era);
    }
  }

  #answered(): void {
    const since = this.#silentSince;
    this.#answeredAt = this.#deps.clock.now();
    this.#failures = 0;
    this.#silentSince = undefined;
    if (since !== undefined) this.#options.recovered(since);
  }

  /** Counts a failed check, unless it is excused. Returns whether there were too many in a row. */
  #countFailure(verdict: HealthVerdict, askedAt: number, wasExcused: boolean): boolean {
    if (verdict === 'silent') this.#silentSince ??= askedAt;
    const isExcused = verdict === 'silent' && (wasExcused || this.#isExcused(askedAt));
    if (!isExcused) this.#failures += 1;
    return this.#failures >= patience[this.#options.transport];
  }

  #isExcused(askedAt: number): boolean {
    return (this.#options.busySince() ?? Number.POSITIVE_INFINITY) <= (this.#silentSince ?? askedAt);
  }

  #lose(reason: string): void {
    this.stop();
    this.#options.lost(reason, { needsLogin: this.#needsLogin });
  }
}

function verdictOn(error: unknown, era: Session['era']): HealthVerdict {
  if (error instanceof ProtocolError) {
    const isChanged = otherVersion.has(error.code) || (era === 'modern' && otherEra.has(error.code));
    return isChanged ? 'changed' : 'answered';
  }
  const { code, status } = Object(error);
  if (status === tooManyRequests) return 'answered';
  return code === 'REQUEST_TIMEOUT' ? 'silent' : 'failed';
}
