// A long event stream to one client. It knows whether it is full and whether the client has disconnected; its owner
// decides what to write. `SseStream` writes to a Node response, `WebSseStream` to a web-standard one.
import { SendProgress, type QueuedBytes } from './send-progress.ts';

export interface EventStream {
  /** Whether a write would be sent at once. When this becomes true again, `streamDrained` is called. */
  readonly ready: boolean;
  /** `text` is ASCII, unless the encoding is UTF-8. */
  write(text: string, encoding?: 'latin1' | 'utf8'): void;
  /** Called once per keep-alive interval. A client that accepted nothing for `patience` of them is disconnected. */
  sweep(keepAlive: string, patience: number): void;
  end(lastWords?: string): void;
}

export interface StreamOwner {
  /** The client has disconnected, or the stream was ended. */
  streamClosed(): void;
  /** The stream has room again. */
  streamDrained(): void;
}

export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Larger writes are split: the number of waiting pieces then shows whether the client reads. */
export const pieceSize = 64 * 1024;

/** Counts the sweeps in a row that found as many bytes waiting as the one before. */
export class StallCount {
  readonly #progress = new SendProgress();
  #sweeps = 0;

  moved(): void {
    this.#progress.restart();
  }

  /** The number of such sweeps, this one included. */
  stalled(waiting: QueuedBytes): number {
    this.#sweeps = this.#progress.look(waiting) ? 1 : this.#sweeps + 1;
    return this.#sweeps;
  }
}
