// Limits how fast a body of many small parts is read. Each part costs about as much as a message, however short, so it
// counts as one; a large part counts as several.
import { type MessageRateLimit, messagesIn } from '../../bounds/message-rate-limit.ts';

/**
 * A piece of a body that is smaller than this counts as a part; the cost of a larger piece is that of the parts in it.
 */
const smallBytes = 512;
/** Parts of an answer that are not counted: it may begin with an empty event, and come in two pieces. */
const partsOfAnswer = 2;

export class BodyRateLimit {
  readonly #rateLimit: MessageRateLimit | undefined;
  #free: number;
  #freeBytes: number;
  #due = 0;

  /**
   * `answerBytes`: the largest answer that the body may hold, which is not counted; 0 for a stream that answers no
   * request.
   */
  constructor(rateLimit: MessageRateLimit | undefined, answerBytes: number) {
    this.#rateLimit = rateLimit;
    this.#free = answerBytes > 0 ? partsOfAnswer : 0;
    this.#freeBytes = answerBytes;
  }

  /** `parts`: how many parts the piece completes. */
  took({ length }: Uint8Array, parts: number): void {
    const freeBytes = Math.min(length, this.#freeBytes);
    this.#freeBytes -= freeBytes;
    const all = Math.max(parts, length < smallBytes ? 1 : 0, messagesIn(length - freeBytes));
    const free = Math.min(all, this.#free);
    this.#free -= free;
    this.#due += all - free;
  }

  /** Resolves when more may be read; undefined if that is at once. */
  rest(): Promise<void> | undefined {
    const due = this.#due;
    this.#due = 0;
    return due > 0 ? this.#rateLimit?.rest(due) : undefined;
  }
}
