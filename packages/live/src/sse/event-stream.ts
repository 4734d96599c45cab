// A long event stream to one client. It knows when it is full and when the client is gone; what is written is up to
// its owner. There is one on a Node response and one on a web-standard one.

export interface EventStream {
  /** Whether what is written now leaves at once. When that turns true again, the owner is told. */
  readonly ready: boolean;
  /** `text` is ASCII, unless the encoding says otherwise. */
  write(text: string, encoding?: 'latin1' | 'utf8'): void;
  /** Called once per keep-alive interval. A peer that took nothing for `patience` of them is disconnected. */
  sweep(keepAlive: string, patience: number): void;
  end(lastWords?: string): void;
}

export interface StreamOwner {
  /** The client is gone, or the stream was ended. */
  streamClosed(): void;
  /** The stream has room again. */
  streamDrained(): void;
}

export const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Larger writes go out in pieces: how many are still waiting then shows whether the peer takes any. */
export const pieceSize = 64 * 1024;

/** How long a peer has taken nothing: counts sweeps that found as much waiting as the one before. */
export class StallCount {
  #waiting = Number.POSITIVE_INFINITY;
  #sweeps = 0;

  moved(): void {
    this.#waiting = Number.POSITIVE_INFINITY;
  }

  /** How many sweeps in a row, this one included. */
  stalled(waiting: number): number {
    this.#sweeps = waiting < this.#waiting ? 1 : this.#sweeps + 1;
    this.#waiting = waiting;
    return this.#sweeps;
  }
}
