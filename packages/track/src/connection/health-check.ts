// Checks regularly whether a server still answers, often while notifications are expected, and at once after a
// failure. An error is an answer, too. Only silence and failed connections count, several times in a row: a
// process may be busy and gets a minute, while over a network the check is repeated at once, on another connection
// even before its time is over: several of those that are kept open may be dead. A request that was
// in progress when the silence began excuses it, since many servers handle one request at a time; one that began
// later does not, or a dead server would never be noticed.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';
import { delay } from '@tidings/live/time';
import { askAgain } from '../base/ask-again.ts';
import { sentUntil } from '../base/sent.ts';
import { needsLogin } from './connect-failure.ts';
import { describeError } from './describe-error.ts';
import { ping } from './ping.ts';
import type { Loss, Session } from './session.ts';

const patience = { http: 3, stdio: 10, memory: 10 };
/** Between two checks in a row. */
const againMs = 100;
/** Over HTTP: copies of an unanswered check, each after this part of the time it has. */
const copies = 2;
const copyAfter = 1 / 3;
/** If a copy is answered so much sooner than the first, the connection of the first is dead. */
const soonerMs = 250;
/** Between an answer and the next check, whatever fails. */
const shortestMs = 1000;
/** A check that messages put off is made after so many intervals. */
const longestDeferral = 4;
/** A server that answers with this status is overloaded, not lost. */
const tooManyRequests = 429;
const otherVersion: ReadonlySet<number> = new Set([ProtocolErrorCode.UnsupportedProtocolVersion]);
/** Error codes by which a server shows that it does not speak 2026-07-28 any more. */
const otherEra: ReadonlySet<number> = new Set([ProtocolErrorCode.MethodNotFound, ProtocolErrorCode.InvalidRequest]);

export interface HealthRhythm {
  /**
   * How often it is checked while notifications are expected. Shorter than an idle connection is kept (3 s if the
   * server keeps it for the usual 5 s, else 4 s), so that the check uses a connection as old as the streams, and
   * fails if all of those are dead.
   */
  everyMs: number;
  /** How often otherwise. */
  idleMs: number;
  /** How long an answer may take. */
  answerMs: number;
  /** Comments on a stream that follow each other sooner than this say nothing about its health. */
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
  /** The server answers again after a silence that began then. */
  recovered(this: void, since: number): void;
  lost(this: void, reason: string, loss: Loss): void;
}

/** `overtaken`: answered, but only on another connection. */
type Verdict = 'answered' | 'overtaken' | 'silent' | 'failed' | 'changed';

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
  /** Something failed during the check in progress, which may have been answered before that. */
  #isDueAgain = false;
  #isExpecting = false;
  #isStopped = false;

  constructor(options: HealthOptions, deps: HealthDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#checkedAt = deps.clock.now();
    this.#wait();
  }

  /** Whether notifications are expected, so that a dead connection has to be noticed soon. */
  expect(isExpecting: boolean): void {
    if (isExpecting === this.#isExpecting) return;
    this.#isExpecting = isExpecting;
    if (!this.#isAsking) this.#wait();
  }

  /** Something has failed: checks at once, but not repeatedly. */
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
      // A server that has just sent something is not checked until it has been quiet for the whole interval. But what
      // it sends may be nothing but refusals, so the check is not put off for ever.
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
    // A server under load may be late with this answer and still send others. Or the connection of the check is
    // dead, and others may be, too: the next check will show.
    const isHeard = verdict === 'silent' && this.#options.messageAt() > askedAt;
    if (isHeard) this.#failures = 0;
    if (isHeard || verdict === 'overtaken') this.#silentSince ??= askedAt;
    if (verdict === 'changed')
      return this.#lose(`The server does not speak its protocol version any more: ${this.#reason}`);
    if (verdict === 'answered' || verdict === 'overtaken') this.#answered();
    else if (!isHeard && this.#isTooMuch(verdict, askedAt, wasExcused)) {
      return this.#lose(verdict === 'silent' ? 'The server does not answer any more.' : this.#reason);
    }
    if (this.#isDueAgain && this.#failures === 0) this.checkNow();
    else this.#wait();
  }

  async #ask(): Promise<Verdict> {
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
    const verdict = await askAgain(clock, pausesMs, () => sentUntil(ask));
    return verdict === 'answered' && answered > 1 ? 'overtaken' : verdict;
  }

  async #send(signal: AbortSignal): Promise<Verdict> {
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

  #isTooMuch(verdict: Verdict, askedAt: number, wasExcused: boolean): boolean {
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

function verdictOn(error: unknown, era: Session['era']): Verdict {
  if (error instanceof ProtocolError) {
    const isChanged = otherVersion.has(error.code) || (era === 'modern' && otherEra.has(error.code));
    return isChanged ? 'changed' : 'answered';
  }
  const { code, status } = Object(error);
  if (status === tooManyRequests) return 'answered';
  return code === 'REQUEST_TIMEOUT' ? 'silent' : 'failed';
}
