// Sends requests again whose connection turns out to be dead. A network may forget connections without a sign;
// what was sent on one of them would wait for its answer until it is given up, half a minute later. Only
// requests that may be answered twice are sent again, and only when there is reason to:
//   - a health check was answered after a silence: everything that waits is sent again (`renew`);
//   - a request waits for long while one that was sent later has been answered: a second copy is sent on another
//     connection, and the first answer counts. If that is the copy's, the connection of the first is dead.
import type { Clock, Timer } from '@tidings/live';
import { isRepeatable } from '../repeatable.ts';

export interface ResendingOptions {
  fetch: typeof fetch;
  clock: Clock;
  /** Who has waited for so long may have been forgotten. */
  lateMs: number;
  /** What was sent then got no answer, and a copy of it that was sent later did. */
  overtaken(this: void, sentAt: number): void;
}

/** Copies of one request, the first one included. The next is sent after twice the time each. */
const mostCopies = 3;

export class ResendingFetch {
  readonly #options: ResendingOptions;
  readonly #waiting = new Set<PendingRequest>();
  /** When the latest request was sent that has been answered. */
  #answeredSentAt = Number.NEGATIVE_INFINITY;

  constructor(options: ResendingOptions) {
    this.#options = options;
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const method = methodOf(init);
    if (!isRepeatable(method)) return this.#options.fetch(input, init);
    const pending = new PendingRequest((signal) => this.#options.fetch(input, { ...init, signal }), {
      ...this.#options,
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

  /** Sends again what was sent before this time and has no answer. */
  renew(before: number): void {
    for (const pending of this.#waiting) if (pending.sentAt < before) pending.renew();
  }
}

interface PendingOptions extends ResendingOptions {
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
    // It stays until the body has been read: whoever sent the request may still end it.
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

  /** The connections that were used so far are not waited for any more. */
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
    if (this.#sent < mostCopies) this.#copyIfLate(this.#options.lateMs * 2 ** (this.#sent - 1));
    return sentAt;
  }

  #copyIfLate(ms: number): void {
    this.#timer = this.#options.clock.after(ms, () => {
      // A server that answers nobody is busy or away: then a copy would only be one more.
      if (this.#options.isOvertaken(this.sentAt)) this.#sendCopy();
      else this.#copyIfLate(ms);
    });
  }

  #answered(own: AbortController, sentAt: number, response: Response): void {
    if (!this.#copies.delete(own)) return void response.body?.cancel().catch(() => undefined);
    const others = [...this.#copies];
    this.#copies.clear();
    // The signal of whoever asked ends the answer that counts.
    this.#copies.add(own);
    for (const copy of others) copy.abort();
    this.#timer?.cancel();
    this.#isAnswered = true;
    this.#resolve(response);
    if (sentAt > this.#firstSentAt) this.#options.overtaken(this.#firstSentAt);
  }
}

/** The SDK writes the method first. */
function methodOf({ body }: RequestInit): string {
  return typeof body === 'string' ? (/^\{"method":"([^"]+)"/.exec(body)?.[1] ?? '') : '';
}
