// Sends requests again whose connection turns out to be dead. A network may drop connections without a sign, and
// a request on one of them would wait for half a minute until it times out. Only requests that may safely be
// repeated are sent again, and only for a reason:
//   - a health check was answered after a silence: everything that waits is sent again (`renew`);
//   - a request waits for long while one that was sent later has been answered: a second copy is sent on another
//     connection, and the first answer counts. If that is the copy's, the connection of the first is dead.
// Where one connection was dead, others that are kept open may be, too: for a while, long is a shorter time.
import type { Clock, Timer } from '@tidings/live';
import { isRepeatable } from '../repeatable.ts';

export interface ResendingOptions {
  fetch: typeof fetch;
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

export class ResendingFetch {
  readonly #options: ResendingOptions;
  readonly #waiting = new Set<PendingRequest>();
  /** When the latest answered request was sent. */
  #answeredSentAt = Number.NEGATIVE_INFINITY;
  #doubtUntil = Number.NEGATIVE_INFINITY;

  constructor(options: ResendingOptions) {
    this.#options = options;
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    if (!isStream(init) && !isRepeatable(methodOf(init))) return this.#options.fetch(input, init);
    const { clock, lateMs, overtaken } = this.#options;
    const pending = new PendingRequest((signal) => this.#options.fetch(input, { ...init, signal }), {
      clock,
      overtaken,
      lateMs: () => (clock.now() < this.#doubtUntil ? lateMs * doubtFactor : lateMs),
      isOvertaken: (sentAt) => this.#answeredSentAt > sentAt,
    });
    this.#waiting.add(pending);
    try {
      const response = await pending.answer(init.signal ?? undefined);
      this.#answeredSentAt = Math.max(this.#answeredSentAt, pending.sentAt);
      return response;
    } finally {
      this.#waiting.delete(pending);
    }
  };

  /** Sends unanswered requests again that were sent before this time. */
  renew(before: number): void {
    this.#doubtUntil = this.#options.clock.now() + doubtMs;
    for (const pending of this.#waiting) if (pending.sentAt < before) pending.renew();
  }
}

interface PendingOptions extends Pick<ResendingOptions, 'clock' | 'overtaken'> {
  lateMs(this: void): number;
  isOvertaken(this: void, sentAt: number): boolean;
}

/** One request in one or more copies. */
class PendingRequest {
  /** When the last copy was sent. */
  sentAt = 0;
  readonly #send: (signal: AbortSignal) => Promise<Response>;
  readonly #options: PendingOptions;
  readonly #copies = new Set<AbortController>();
  #firstSentAt = 0;
  #sent = 0;
  #isAnswered = false;
  #timer: Timer | undefined;
  #resolve: (response: Response) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(send: (signal: AbortSignal) => Promise<Response>, options: PendingOptions) {
    this.#send = send;
    this.#options = options;
  }

  async answer(signal: AbortSignal | undefined): Promise<Response> {
    const abort = () => {
      for (const copy of this.#copies) copy.abort(signal?.reason);
    };
    // Kept until the body has been read: the caller may still abort the request.
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<Response>((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
        this.#firstSentAt = this.#sendCopy();
        if (signal?.aborted === true) abort();
      });
    } catch (error) {
      signal?.removeEventListener('abort', abort);
      throw error;
    } finally {
      this.#timer?.cancel();
    }
  }

  /** The connections used so far are given up. */
  renew(): void {
    if (this.#isAnswered) return;
    const old = [...this.#copies];
    this.#copies.clear();
    this.#firstSentAt = this.#sendCopy();
    for (const copy of old) copy.abort();
  }

  /** Returns when it was sent. */
  #sendCopy(): number {
    const own = new AbortController();
    const sentAt = this.#options.clock.now();
    this.sentAt = sentAt;
    this.#sent += 1;
    this.#copies.add(own);
    void this.#send(own.signal).then(
      (response) => this.#answered(own, sentAt, response),
      (error: unknown) => {
        if (this.#copies.delete(own) && this.#copies.size === 0) this.#reject(error);
      },
    );
    this.#timer?.cancel();
    if (this.#sent < mostCopies) this.#copyIfLate(this.#options.lateMs() * 2 ** (this.#sent - 1));
    return sentAt;
  }

  #copyIfLate(ms: number): void {
    this.#timer = this.#options.clock.after(ms, () => {
      // A server that answers no request is busy or unavailable: a copy would not help.
      if (this.#options.isOvertaken(this.sentAt)) this.#sendCopy();
      else this.#copyIfLate(ms);
    });
  }

  #answered(own: AbortController, sentAt: number, response: Response): void {
    if (!this.#copies.delete(own)) return void response.body?.cancel().catch(() => undefined);
    const others = [...this.#copies];
    this.#copies.clear();
    // The caller's signal aborts the copy whose answer is used.
    this.#copies.add(own);
    for (const copy of others) copy.abort();
    this.#timer?.cancel();
    this.#isAnswered = true;
    this.#resolve(response);
    if (sentAt > this.#firstSentAt) this.#options.overtaken(this.#firstSentAt);
  }
}

/** Streams are answered when they begin. One that is requested twice is used once; the other is given up. */
function isStream(init: RequestInit): boolean {
  return init.method === 'GET' || methodOf(init) === 'subscriptions/listen';
}

/** The SDK writes the method first. */
function methodOf({ body }: RequestInit): string {
  return typeof body === 'string' ? (/^\{"method":"([^"]+)"/.exec(body)?.[1] ?? '') : '';
}
