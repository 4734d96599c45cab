// All open event streams of an endpoint: counted against the limit, kept alive by one timer.
import type { Clock, Timer } from '../time/clock.ts';
import { every } from '../time/every.ts';
import { LiveError } from '../base/error.ts';
import type { EventStream } from './event-stream.ts';

interface SseStreamsOptions {
  clock: Clock;
  /** How many may be open. Default: any number. */
  limit?: number;
  /** How often a comment is sent; 0 for never. */
  keepAliveMs: number;
  /** The text of that comment. */
  comment?: string;
  /** A stream whose client accepts nothing for this many intervals is closed. */
  patience?: number;
}

export class SseStreams {
  readonly keepAliveMs: number;
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #comment: string;
  readonly #patience: number;
  readonly #open = new Set<EventStream>();
  #sweeping: Timer | undefined;

  constructor(options: SseStreamsOptions) {
    const { clock, limit = Number.POSITIVE_INFINITY, keepAliveMs, comment = 'keepalive', patience = 2 } = options;
    this.#clock = clock;
    this.#limit = limit;
    this.#comment = `: ${comment}\n\n`;
    this.#patience = patience;
    this.keepAliveMs = keepAliveMs;
  }

  get size(): number {
    return this.#open.size;
  }

  /** `leaving` is the number of streams that the new one replaces. */
  assertRoom(leaving = 0): void {
    if (this.#open.size - leaving < this.#limit) return;
    throw new LiveError('LIMIT_EXCEEDED', `This server has its limit of ${this.#limit} open streams: try again later.`);
  }

  add(stream: EventStream): void {
    this.#open.add(stream);
    if (this.keepAliveMs > 0) this.#sweeping ??= every(this.#clock, this.keepAliveMs, () => this.#sweep());
  }

  delete(stream: EventStream): void {
    this.#open.delete(stream);
  }

  #sweep(): void {
    for (const stream of this.#open) stream.sweep(this.#comment, this.#patience);
    if (this.#open.size > 0) return;
    this.#sweeping?.cancel();
    this.#sweeping = undefined;
  }
}
