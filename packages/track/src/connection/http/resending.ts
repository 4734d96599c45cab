// Sends requests of one session again whose connection turns out to be dead, whichever client sent them. A network may
// drop connections without a sign, and a request on one of them would wait for half a minute until it times out. Only
// for requests that may safely be repeated, and only for a reason:
//   - a health check was answered after a silence: everything that waits is sent again (`renew`);
//   - a request waits for long while one that was sent later has been answered: a second copy is sent on another
//     connection, and the first answer counts. If that is the copy's, the connection of the first is dead.
// Where one connection was dead, others that are kept open may be, too: for a while, long is a shorter time.
import type { Clock, Timer } from '@tidings/live';
import type { Sent } from '../../base/sent.ts';

export interface ResendingOptions {
  clock: Clock;
  /** A request that has waited this long may be on a dead connection. */
  lateMs: number;
  /** A request that was sent then got no answer, and a later copy of it did. */
  overtaken(this: void, sentAt: number): void;
}

/** Copies of one request, including the first, until it is renewed. Each is sent after twice the time of the one before. */
const mostCopies = 3;
/** How long dead connections may be kept after one was found, and for which part of the time a request waits then. */
const doubtMs = 5000;
const doubtFactor = 1 / 4;

export class Resending {
  readonly #options: ResendingOptions;
  readonly #waiting = new Set<Waiting>();
  /** When the latest answered request was sent. */
  #answeredSentAt = Number.NEGATIVE_INFINITY;
  #doubtUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ResendingOptions) {
    this.#options = options;
  }

  /** `send` is called for each copy; `isAgain` if it is not the first. */
  send<T>(send: (isAgain: boolean) => Sent<T>): Sent<T> {
    const { clock, lateMs, overtaken } = this.#options;
    const pending = new PendingRequest(send, {
      clock,
      overtaken,
      lateMs: () => (clock.now() < this.#doubtUntil ? lateMs * doubtFactor : lateMs),
      isOvertaken: (sentAt) => this.#answeredSentAt > sentAt,
      settled: (isAnswered) => {
        this.#waiting.delete(pending);
        if (isAnswered) this.#answeredSentAt = Math.max(this.#answeredSentAt, pending.sentAt);
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
}

interface Waiting {
  readonly sentAt: number;
  renew(): void;
}

interface PendingOptions extends Pick<ResendingOptions, 'clock' | 'overtaken'> {
  lateMs(this: void): number;
  isOvertaken(this: void, sentAt: number): boolean;
  settled(this: void, isAnswered: boolean): void;
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
  /** Copies since it was last renewed. */
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
    this.#settled(false);
    for (const copy of this.#copies) copy.giveUp(reason);
  };

  /** The connections used so far are given up. The next one may be dead as well, so it may have as many copies again. */
  renew(): void {
    const old = [...this.#copies];
    this.#copies.clear();
    this.#sent = 0;
    this.#firstSentAt = this.#sendCopy(true);
    for (const copy of old) copy.giveUp();
  }

  /** Returns when it was sent. */
  #sendCopy(isAgain: boolean): number {
    const sentAt = this.#options.clock.now();
    this.sentAt = sentAt;
    this.#sent += 1;
    const own = this.#send(isAgain);
    this.#copies.add(own);
    void own.answer.then(
      (answer) => this.#answered(own, sentAt, answer),
      (error: unknown) => {
        if (this.#copies.delete(own) && this.#copies.size === 0) {
          this.#settled(false);
          this.#reject(error);
        }
      },
    );
    this.#timer?.cancel();
    if (this.#sent < mostCopies) this.#copyIfLate(this.#options.lateMs() * 2 ** (this.#sent - 1));
    return sentAt;
  }

  #copyIfLate(ms: number): void {
    this.#timer = this.#options.clock.after(ms, () => {
      // A server that answers no request is busy or unavailable: a copy would not help.
      if (this.#options.isOvertaken(this.sentAt)) this.#sendCopy(true);
      else this.#copyIfLate(ms);
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
    this.#settled(true);
    this.#resolve(answer);
    if (sentAt > this.#firstSentAt) this.#options.overtaken(this.#firstSentAt);
  }

  /** It is not sent again. */
  #settled(isAnswered: boolean): void {
    this.#timer?.cancel();
    this.#options.settled(isAnswered);
  }
}
