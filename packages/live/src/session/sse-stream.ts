// A long event stream on a raw Node response. It knows when the socket is full and when the client
// has gone; what is written on it is for its owner to decide.
import type { ServerResponse } from 'node:http';
import type { Streams } from './streams.ts';

export interface StreamOwner {
  /** The client is gone, or the stream was ended. */
  streamClosed(): void;
  /** The socket has room again. */
  streamDrained(): void;
}

const keepAliveComment = ': keepalive\n\n';

export class SseStream {
  readonly #res: ServerResponse;
  readonly #streams: Streams;
  #stalledAtLastSweep = false;

  constructor(res: ServerResponse, streams: Streams, owner: StreamOwner, headers: Record<string, string> = {}) {
    this.#res = res;
    this.#streams = streams;
    res.setHeader('Content-Type', 'text/event-stream');
    res.setHeader('Cache-Control', 'no-cache, no-transform');
    res.setHeader('X-Accel-Buffering', 'no');
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    // The body ends with the connection: a write is then one buffer instead of three.
    res.removeHeader('Transfer-Encoding');
    res.shouldKeepAlive = false;
    res.flushHeaders();
    res.socket?.setKeepAlive(true, streams.keepAliveMs);
    streams.add(this);
    res.on('drain', () => {
      this.#stalledAtLastSweep = false;
      owner.streamDrained();
    });
    res.on('close', () => {
      streams.delete(this);
      owner.streamClosed();
    });
  }

  get isOpen(): boolean {
    return !this.#res.destroyed && !this.#res.writableEnded;
  }

  get ready(): boolean {
    return this.isOpen && !this.#res.writableNeedDrain;
  }

  /** `text` is ASCII. */
  write(text: string): void {
    this.#res.write(text, 'latin1');
  }

  /** Called once per keep-alive interval: a peer that took nothing for two of them is gone. */
  sweep(): void {
    if (this.ready) this.write(keepAliveComment);
    else if (this.#stalledAtLastSweep) this.#res.destroy();
    this.#stalledAtLastSweep = !this.ready;
  }

  end(lastWords = ''): void {
    if (!this.isOpen) return;
    this.#streams.delete(this);
    this.#res.end(lastWords, 'latin1');
  }
}
