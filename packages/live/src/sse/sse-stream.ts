// A long event stream on a raw Node response. It knows when the socket is full and when the client is gone; what is
// written is up to its owner.
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { LiveError } from '../error.ts';
import type { SseStreams } from './sse-streams.ts';

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
/** Larger writes go out in pieces: how many are still waiting then shows whether the peer takes any. */
const pieceSize = 64 * 1024;

export class SseStream {
  readonly #res: ServerResponse;
  /** What knows how much is waiting: in HTTP/2 not the response, but the stream behind it. */
  readonly #wire: Writable;
  #waitingAtLastSweep = Number.POSITIVE_INFINITY;
  #stalledSweeps = 0;

  constructor(res: ServerResponse, streams: SseStreams, owner: StreamOwner, headers: Record<string, string> = {}) {
    this.#res = res;
    const isHttp2 = 'stream' in res && res.stream instanceof Writable;
    this.#wire = isHttp2 && res.stream instanceof Writable ? res.stream : res;
    if (!isHttp2) {
      // The body ends with the connection: a write is then one buffer instead of three.
      res.removeHeader('Transfer-Encoding');
      res.shouldKeepAlive = false;
    }
    // Headers that are set one by one would be kept as long as the stream.
    res.writeHead(200, { ...streamHeaders, ...headers }).flushHeaders();
    if (!isHttp2) res.socket?.setKeepAlive(true, streams.keepAliveMs);
    streams.add(this);
    res.on('drain', () => owner.streamDrained());
    res.on('close', () => {
      streams.delete(this);
      owner.streamClosed();
    });
  }

  get ready(): boolean {
    return !this.#wire.destroyed && !this.#wire.writableEnded && !this.#wire.writableNeedDrain;
  }

  /** ASCII text is written faster as latin1, which Node copies without encoding. */
  write(text: string, encoding: 'latin1' | 'utf8' = 'latin1'): void {
    if (text.length <= pieceSize) {
      this.#res.write(text, encoding);
      return;
    }
    // As bytes: a string could be cut between the two halves of one character.
    const bytes = Buffer.from(text, encoding);
    for (let at = 0; at < bytes.length; at += pieceSize) this.#res.write(bytes.subarray(at, at + pieceSize));
  }

  sweep(keepAlive: string, patience: number): void {
    if (this.ready) {
      this.#waitingAtLastSweep = Number.POSITIVE_INFINITY;
      this.write(keepAlive);
      return;
    }
    const waiting = this.#wire.writableLength;
    this.#stalledSweeps = waiting < this.#waitingAtLastSweep ? 1 : this.#stalledSweeps + 1;
    this.#waitingAtLastSweep = waiting;
    if (this.#stalledSweeps >= patience) this.#wire.destroy();
  }

  /** It is counted until the socket is really gone. */
  end(lastWords = ''): void {
    if (!this.#wire.destroyed && !this.#wire.writableEnded) this.#res.end(lastWords, 'latin1');
  }
}

/** A response that waits behind another on its connection would hold everything and deliver nothing. */
export function assertStreamable(res: ServerResponse): void {
  if (res.socket) return;
  throw new LiveError('INVALID_PARAMS', 'A stream needs a connection of its own: do not pipeline it behind a request.');
}
