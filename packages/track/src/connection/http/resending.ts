// Sends requests of one session again whose connection turns out to be dead, whichever client sent them. A network may
// drop connections without a sign, and a request on one of them would wait for half a minute until it times out. Only
// for requests that may safely be repeated, and only for a reason:
//   - a health check was answered after a silence: everything that waits is sent again (`renew`);
//   - a request waits for long while one that was sent later has been answered: a second copy is sent on another
//     connection, and the first answer counts. If that is the copy's, the connection of the first is dead.
// Where one connection was dead, others that are kept open may be, too: for a while, long is a shorter time. Where the
// server takes its time with every answer, long is a longer time: copies of requests would make it slower still.
import type { Clock, Timer } from '@tidings/live';
import { CopyBudget } from '../../base/copy-budget.ts';
import type { Sent } from '../../base/sent.ts';

export interface ResendingOptions {
  clock: Clock;
  /** A request that has waited this long may be on a dead connection. */
  lateMs: number;
  /** A request that was sent then got no answer, and a later copy of it did. */
  overtaken(this: void, sentAt: number): void;
}

/** Copies of one request, including the first. Each is sent after twice the time of the one before. */
const mostCopies = 3;
/** How long dead connections may be kept after one was found, and for which part of the time a request waits then. */
const doubtMs = 5000;
const doubtFactor = 1 / 4;
/** A request is late after so many times the time that answers take, but never after more than so many `lateMs`. */
const usualFactor = 3;
const longestFactor = 4;
/** How much of the longest time is left after each quicker answer. */
const fading = 0.9;

export class Resending {
  readonly #options: ResendingOptions;
  readonly #waiting = new Set<Waiting>();
  /** When the latest answered request was sent. */
  #answeredSentAt = Number.NEGATIVE_INFINITY;
  #doubtUntil = Number.NEGATIVE_INFINITY;
  /** How long answers take at present. */
  #usualMs = 0;

  constructor(options: ResendingOptions) {
    this.#options = options;
  }

  /** `send` is called for each copy; `isAgain` if it is not the first. `copies`: how many may be sent. */
  send<T>(send: (isAgain: boolean) => Sent<T>, copies = new CopyBudget(mostCopies)): Sent<T> {
    const { clock, overtaken } = this.#options;
    const pending = new PendingRequest(send, {
      clock,
      copies,
      overtaken,
      lateMs: () => this.#lateMs(),
      isOvertaken: (sentAt) => this.#answeredSentAt > sentAt,
      settled: (answeredSentAt) => {
        this.#waiting.delete(pending);
        if (answeredSentAt !== undefined) this.#answered(answeredSentAt);
      },
    });
    this.#waiting.add(pending);
    return pending;
  }

  /** Sends unanswered requests again that were sent before this time. */
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

interface Waiting {
  readonly sentAt: number;
  renew(): void;
}

interface PendingOptions extends Pick<ResendingOptions, 'clock' | 'overtaken'> {
  copies: CopyBudget;
  lateMs(this: void): number;
  isOvertaken(this: void, sentAt: number): boolean;
  /** When the copy was sent that was answered; undefined if none was. */
  settled(this: void, answeredSentAt: number | undefined): void;
}

/** One request in one or more copies. */
class PendingRequest<T> implements Sent<T>, Waiting {
  /** When the last copy was sent. */
  sentAt = 0;
  readonly answer: Promise<T>;
  readonly #send: (isAgain: boolean) => Sent<T>;
  readonly #options: PendingOptions;
  readonly #copies = new Set<Sent<T>>();
  #firstSentAt = 0;
  /** Copies of its own since it was last renewed. */
  #sent = 0;
  #timer: Timer | undefined;
  #resolve: (answer: T) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(send: (isAgain: boolean) => Sent<T>, options: PendingOptions) {
    this.#send = send;
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#firstSentAt = this.#sendCopy(false);
  }

  /** Also an answer that is still being read. */
  readonly giveUp = (reason?: unknown): void => {
    this.#settled(undefined);
    for (const copy of this.#copies) copy.giveUp(reason);
  };

  /** The connections used so far are given up. The next one may be dead as well, so it may have as many copies again. */
  renew(): void {
    const old = [...this.#copies];
    this.#copies.clear();
    this.#sent = 0;
    this.#options.copies.refill();
    this.#firstSentAt = this.#sendCopy(true);
    for (const copy of old) copy.giveUp();
  }

  /** Returns when it was sent. */
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
          this.#settled(undefined);
          this.#reject(error);
        }
      },
    );
    this.#timer?.cancel();
    if (!this.#options.copies.isEmpty) this.#copyAfter(this.#lateMs);
    return sentAt;
  }

  /** How long this copy may take. */
  get #lateMs(): number {
    return this.#options.lateMs() * 2 ** (this.#sent - 1);
  }

  #copyAfter(ms: number): void {
    const { clock, copies, isOvertaken } = this.#options;
    this.#timer = clock.after(ms, () => {
      if (copies.isEmpty) return;
      // Answers may take longer than when it was sent.
      const leftMs = this.sentAt + this.#lateMs - clock.now();
      if (leftMs > 0) this.#copyAfter(leftMs);
      // A server that answers no request is busy or unavailable: a copy would not help.
      else if (isOvertaken(this.sentAt)) this.#sendCopy(true);
      else this.#copyAfter(this.#lateMs);
    });
  }

  #answered(own: Sent<T>, sentAt: number, answer: T): void {
    // Another copy was answered in the same moment.
    if (!this.#copies.delete(own)) return own.giveUp();
    const others = [...this.#copies];
    this.#copies.clear();
    // The answer may have a body that is still being read.
    this.#copies.add(own);
    for (const copy of others) copy.giveUp();
    this.#settled(sentAt);
    this.#resolve(answer);
    if (sentAt > this.#firstSentAt) this.#options.overtaken(this.#firstSentAt);
  }

  /** The request is done: no further copy is sent. */
  #settled(answeredSentAt: number | undefined): void {
    this.#timer?.cancel();
    this.#options.settled(answeredSentAt);
  }
}
