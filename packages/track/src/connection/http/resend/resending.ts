// Sends requests of one session again if their connection turns out to be dead, whichever client sent them. A network may
// drop connections without a sign, and a request on one of them would wait for half a minute until it times out. Only
// requests that are safe to repeat, and only for a reason:
//   - a health check was answered after a silence: every waiting request is sent again (`renew`);
//   - a request is late while a later one has been answered: a copy is sent on another connection, and the first
//     answer counts. If that is the copy's, the connection of the first is dead.
// A request is late after `lateMs`; sooner for a while after a dead connection was found, since others may be dead as
// well; later if the server is slow with every answer, since copies would make it slower still.
import type { Clock, Timer } from '@tidings/live';
import { backoffMs } from '@tidings/live/time';
import { CopyBudget } from '../../../base/copy-budget.ts';
import type { CancellableRequest } from '../../../base/cancellable-request.ts';

interface ResendingOptions {
  clock: Clock;
  /** A request that has waited this long may be on a dead connection. */
  lateMs: number;
  /** A request that was sent at `sentAt` got no answer, and a later copy of it did. */
  overtaken(this: void, sentAt: number): void;
}

/** Copies of one request, including the first. Each waits twice as long as the one before. */
const mostCopies = 3;
/**
 * After a dead connection was found: for how long others may be dead as well, and which fraction of `lateMs` applies
 * then.
 */
const doubtMs = 5000;
const doubtFactor = 1 / 4;
/**
 * A request is late after `usualFactor` times the usual time of answers, at most after `longestFactor` times `lateMs`.
 */
const usualFactor = 3;
const longestFactor = 4;
/** Factor by which the usual time shrinks with each quicker answer. */
const fading = 0.9;

export class Resending {
  readonly #options: ResendingOptions;
  readonly #waiting = new Set<WaitingRequest>();
  /** When the latest answered request was sent. */
  #answeredSentAt = Number.NEGATIVE_INFINITY;
  #doubtUntil = Number.NEGATIVE_INFINITY;
  /** The present usual time of an answer. */
  #usualMs = 0;

  constructor(options: ResendingOptions) {
    this.#options = options;
  }

  /** Calls `send` for each copy, with `isAgain` for all but the first. `copies`: how many may be sent. */
  send<T>(
    send: (isAgain: boolean) => CancellableRequest<T>,
    copies = new CopyBudget(mostCopies),
  ): CancellableRequest<T> {
    const { clock, overtaken } = this.#options;
    const pending = new PendingRequest(send, {
      clock,
      copies,
      overtaken,
      lateMs: () => this.#lateMs(),
      isOvertaken: (sentAt) => this.#answeredSentAt > sentAt,
      finished: (answeredSentAt) => {
        this.#waiting.delete(pending);
        if (answeredSentAt !== undefined) this.#answered(answeredSentAt);
      },
    });
    this.#waiting.add(pending);
    return pending;
  }

  /** Sends unanswered requests again that were sent before `before`. */
  renew(before: number): void {
    this.#doubtUntil = this.#options.clock.now() + doubtMs;
    for (const pending of this.#waiting) if (pending.sentAt < before) pending.renew();
  }

  #lateMs(): number {
    const { clock, lateMs } = this.#options;
    const ms = clock.now() < this.#doubtUntil ? lateMs * doubtFactor : lateMs;
    return Math.max(ms, Math.min(this.#usualMs * usualFactor, lateMs * longestFactor));
  }

  #answered(sentAt: number): void {
    this.#answeredSentAt = Math.max(this.#answeredSentAt, sentAt);
    this.#usualMs = Math.max(this.#options.clock.now() - sentAt, this.#usualMs * fading);
  }
}

interface WaitingRequest {
  readonly sentAt: number;
  renew(): void;
}

interface PendingOptions extends Pick<ResendingOptions, 'clock' | 'overtaken'> {
  copies: CopyBudget;
  lateMs(this: void): number;
  isOvertaken(this: void, sentAt: number): boolean;
  /** `answeredSentAt`: when the answered copy was sent; undefined if none was answered. */
  finished(this: void, answeredSentAt: number | undefined): void;
}

/** One request in one or more copies. */
class PendingRequest<T> implements CancellableRequest<T>, WaitingRequest {
  /** When the last copy was sent. */
  sentAt = 0;
  readonly answer: Promise<T>;
  readonly #send: (isAgain: boolean) => CancellableRequest<T>;
  readonly #options: PendingOptions;
  readonly #copies = new Set<CancellableRequest<T>>();
  #firstSentAt = 0;
  /** Copies since the last renewal. */
  #sent = 0;
  #timer: Timer | undefined;
  #resolve: (answer: T) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(send: (isAgain: boolean) => CancellableRequest<T>, options: PendingOptions) {
    this.#send = send;
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#firstSentAt = this.#sendCopy(false);
  }

  /** Aborts all copies, and an answer that is still being read. */
  readonly cancel = (reason?: unknown): void => {
    this.#finish(undefined);
    for (const copy of this.#copies) copy.cancel(reason);
  };

  /**
   * Gives up the connections used so far. The next one may be dead as well, so the request may have as many copies
   * again.
   */
  renew(): void {
    const old = [...this.#copies];
    this.#copies.clear();
    this.#sent = 0;
    this.#options.copies.refill();
    this.#firstSentAt = this.#sendCopy(true);
    for (const copy of old) copy.cancel();
  }

  /** Returns the time of sending. */
  #sendCopy(isAgain: boolean): number {
    const sentAt = this.#options.clock.now();
    this.sentAt = sentAt;
    this.#sent += 1;
    this.#options.copies.take();
    const own = this.#send(isAgain);
    this.#copies.add(own);
    void own.answer.then(
      (answer) => this.#answered(own, sentAt, answer),
      (error: unknown) => {
        if (this.#copies.delete(own) && this.#copies.size === 0) {
          this.#finish(undefined);
          this.#reject(error);
        }
      },
    );
    this.#timer?.cancel();
    if (!this.#options.copies.isEmpty) this.#copyAfter(this.#lateMs);
    return sentAt;
  }

  /** How long the last copy may take. */
  get #lateMs(): number {
    return backoffMs(this.#sent, { firstMs: this.#options.lateMs() });
  }

  #copyAfter(ms: number): void {
    const { clock, copies, isOvertaken } = this.#options;
    this.#timer = clock.after(ms, () => {
      if (copies.isEmpty) return;
      // The limit may have grown since the copy was sent.
      const leftMs = this.sentAt + this.#lateMs - clock.now();
      if (leftMs > 0) this.#copyAfter(leftMs);
      // If the server answers no request at all, it is busy or unavailable, and a copy would not help.
      else if (isOvertaken(this.sentAt)) this.#sendCopy(true);
      else this.#copyAfter(this.#lateMs);
    });
  }

  #answered(own: CancellableRequest<T>, sentAt: number, answer: T): void {
    // Another copy was answered at the same moment.
    if (!this.#copies.delete(own)) return own.cancel();
    const others = [...this.#copies];
    this.#copies.clear();
    // The body of the answer may still be being read.
    this.#copies.add(own);
    for (const copy of others) copy.cancel();
    this.#finish(sentAt);
    this.#resolve(answer);
    if (sentAt > this.#firstSentAt) this.#options.overtaken(this.#firstSentAt);
  }

  /** Ends the request: no further copy is sent. */
  #finish(answeredSentAt: number | undefined): void {
    this.#timer?.cancel();
    this.#options.finished(answeredSentAt);
  }
}
