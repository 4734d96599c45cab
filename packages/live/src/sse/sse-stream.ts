// A long event stream on a raw Node response.
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { type EventStream, StallCount, type StreamOwner, pieceSize, streamHeaders } from './event-stream.ts';
import { waitingBytes } from './send-progress.ts';
import type { SseStreams } from './sse-streams.ts';
import { whenClosed } from './when-closed.ts';
import { wireOf } from './wire-of.ts';

export class SseStream implements EventStream {
  readonly #res: ServerResponse;
  readonly #wire: Writable;
  readonly #stall = new StallCount();

  constructor(res: ServerResponse, streams: SseStreams, owner: StreamOwner, headers: Record<string, string> = {}) {
    this.#res = res;
    this.#wire = wireOf(res);
    const isHttp2 = this.#wire !== res;
    if (!isHttp2) {
      // Close-delimited body: a write is one buffer instead of three.
      res.removeHeader('Transfer-Encoding');
      res.shouldKeepAlive = false;
    }
    // Headers set one by one would stay in memory as long as the stream.
    res.writeHead(200, { ...streamHeaders, ...headers }).flushHeaders();
    if (!isHttp2) res.socket?.setKeepAlive(true, streams.keepAliveMs);
    streams.add(this);
    res.on('drain', () => owner.streamDrained());
    whenClosed(res, () => {
      streams.delete(this);
      owner.streamClosed();
    });
  }

  get ready(): boolean {
    return !this.#wire.destroyed && !this.#wire.writableEnded && !this.#wire.writableNeedDrain;
  }

  /** ASCII text is written faster as latin1, which Node copies without encoding. */
  write(text: string, encoding: 'latin1' | 'utf8' = 'latin1'): void {
    // Node would hold each write back until the end of the tick, to merge it with later ones.
    const socket = this.#wire === this.#res ? this.#res.socket : undefined;
    socket?.cork();
    if (text.length <= pieceSize) this.#res.write(text, encoding);
    else {
      // As bytes, because a string could be split inside a surrogate pair.
      const bytes = Buffer.from(text, encoding);
      for (let at = 0; at < bytes.length; at += pieceSize) this.#res.write(bytes.subarray(at, at + pieceSize));
    }
    socket?.uncork();
  }

  sweep(keepAlive: string, patience: number): void {
    if (this.ready) {
      this.#stall.moved();
      this.write(keepAlive);
    } else if (this.#stall.stalled(waitingBytes(this.#res, this.#wire)) >= patience) {
      this.#wire.destroy();
    }
  }

  /** The stream counts as open until its socket is closed. */
  end(lastWords = ''): void {
    if (!this.#wire.destroyed && !this.#wire.writableEnded) this.#res.end(lastWords, 'latin1');
  }
}
