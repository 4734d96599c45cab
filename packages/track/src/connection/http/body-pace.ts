// How fast a body is read that consists of many small parts. Each part costs about as much as a message, however little
// is in it, so it counts as one; a large one counts as several.
import { type MessagePace, messagesIn } from '../message-pace.ts';

/** A piece of a body that is smaller than this counts; larger ones cost less than what is in them. */
const smallBytes = 512;
/** An answer may begin with an empty event, and come in two pieces. */
const partsOfAnswer = 2;

export class BodyPace {
  readonly #pace: MessagePace | undefined;
  #free: number;
  #freeBytes: number;
  #due = 0;

  /** `answerBytes`: how large the answer in it may be, which is free; 0 for a stream that answers no request. */
  constructor(pace: MessagePace | undefined, answerBytes: number) {
    this.#pace = pace;
    this.#free = answerBytes > 0 ? partsOfAnswer : 0;
    this.#freeBytes = answerBytes;
  }

  /** `parts`: those that the piece completes. */
  took({ length }: Uint8Array, parts: number): void {
    const freeBytes = Math.min(length, this.#freeBytes);
    this.#freeBytes -= freeBytes;
    const all = Math.max(parts, length < smallBytes ? 1 : 0, messagesIn(length - freeBytes));
    const free = Math.min(all, this.#free);
    this.#free -= free;
    this.#due += all - free;
  }

  /** Resolves when more may be read; undefined if there is nothing to wait for. */
  rest(): Promise<void> | undefined {
    const due = this.#due;
    this.#due = 0;
    return due > 0 ? this.#pace?.rest(due) : undefined;
  }
}
