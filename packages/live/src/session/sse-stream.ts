// A long event stream on a raw Node response. It knows when the socket is full and when the client
// has gone; what is written on it is for its owner to decide.
import type { ServerResponse } from 'node:http';
import { LiveError } from '../error.ts';
import type { Streams } from './streams.ts';

export interface StreamOwner {
  /** The client is gone, or the stream was ended. */
  streamClosed(): void;
  /** The socket has room again. */
  streamDrained(): void;
}

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};
const keepAliveComment = ': keepalive\n\n';
/** Larger writes go out in pieces: how many are still waiting then shows whether the peer takes any. */
const pieceSize = 64 * 1024;

export class SseStream {
  readonly #res: ServerResponse;
  #waitingAtLastSweep = Number.POSITIVE_INFINITY;

  constructor(res: ServerResponse, streams: Streams, owner: StreamOwner, headers: Record<string, string> = {}) {
    this.#res = res;
    // The body ends with the connection: a write is then one buffer instead of three.
    res.removeHeader('Transfer-Encoding');
    res.shouldKeepAlive = false;
    // Headers that are set one by one would be kept as long as the stream.
    res.writeHead(200, { ...streamHeaders, ...headers }).flushHeaders();
    res.socket?.setKeepAlive(true, streams.keepAliveMs);
    streams.add(this);
    res.on('drain', () => owner.streamDrained());
    res.on('close', () => {
      streams.delete(this);
      owner.streamClosed();
    });
  }

  get ready(): boolean {
    return !this.#res.destroyed && !this.#res.writableEnded && !this.#res.writableNeedDrain;
  }

  /** `text` is ASCII. */
  write(text: string): void {
    if (text.length <= pieceSize) this.#res.write(text, 'latin1');
    else for (let at = 0; at < text.length; at += pieceSize) this.#res.write(text.slice(at, at + pieceSize), 'latin1');
  }

  /** Called once per keep-alive interval: a peer that took nothing for two of them is gone. */
  sweep(): void {
    const waiting = this.ready ? Number.POSITIVE_INFINITY : this.#res.writableLength;
    if (this.ready) this.write(keepAliveComment);
    else if (waiting >= this.#waitingAtLastSweep) this.#res.destroy();
    this.#waitingAtLastSweep = waiting;
  }

  /** It is counted until the socket is really gone. */
  end(lastWords = ''): void {
    if (!this.#res.destroyed && !this.#res.writableEnded) this.#res.end(lastWords, 'latin1');
  }
}

/** A response that waits behind another on its connection would hold everything and deliver nothing. */
export function assertStreamable(res: ServerResponse): void {
  if (res.socket) return;
  throw new LiveError('INVALID_PARAMS', 'A stream needs a connection of its own: do not pipeline it behind a request.');
}
