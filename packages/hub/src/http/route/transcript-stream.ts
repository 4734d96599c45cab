// A transcript as an event stream.
import type { ServerResponse } from 'node:http';
import { SseStream, type SseStreams, type StreamOwner, sseEvent } from '@tidings/live/internal';
import type { TranscriptEntry } from '@tidings/client/contract';
import type { Transcript } from '../../agent/transcript.ts';

/** A stalled client gets the latest entries when it continues; the rest can be listed. */
const mostWaiting = 500;

export class TranscriptStream implements StreamOwner {
  readonly #stream: SseStream;
  readonly #transcript: Transcript;
  readonly #unfollow: () => void;
  readonly #waiting: TranscriptEntry[];

  /** Begins after the entry with this id. */
  constructor(res: ServerResponse, streams: SseStreams, transcript: Transcript, after: number) {
    this.#transcript = transcript;
    this.#waiting = transcript.entries.filter(({ id }) => id > after);
    this.#unfollow = transcript.follow((entry) => {
      if (this.#waiting.length >= mostWaiting) this.#waiting.shift();
      this.#waiting.push(entry);
      this.advance();
    });
    this.#stream = new SseStream(res, streams, this);
  }

  /** Sends pending entries while the socket has room. */
  advance(): void {
    while (this.#stream.ready) {
      const entry = this.#waiting.shift();
      if (entry === undefined) break;
      this.#stream.write(sseEvent(JSON.stringify(entry), { id: String(entry.id) }), 'utf8');
    }
    if (this.#waiting.length === 0 && this.#transcript.isOver) this.#stream.end();
  }

  streamClosed(): void {
    this.#unfollow();
  }

  streamDrained(): void {
    this.advance();
  }
}
