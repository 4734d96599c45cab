// One reader of the event stream. It has a position in the journal and no queue: a stalled client uses no memory, and
// when it reads again it gets the latest event of each resource, or a gap.
import type { ServerResponse } from 'node:http';
import { SseStream, type SseStreams, type StreamOwner, sseEvent, sseRetry } from '@tidings/live/internal';
import type { TimeSlice } from '@tidings/live/time';
import type { EventFilter, TrackerEvent } from '@tidings/client/contract';
import type { Journal } from '../journal/journal.ts';
import { LatestUpdates } from './latest-updates.ts';

/** At most this much is written to a socket at once. */
const pieceLength = 64 * 1024;
/** How long a client waits before it connects again. */
const retryMs = 5000;
/** How many events are examined before the time slice is checked. */
const entriesAtOnce = 100;

/** Filters an event to what a reader may see; undefined if the reader may not see it. */
export type See = (event: TrackerEvent) => TrackerEvent | undefined;

export type ReadJournal = Pick<Journal, 'at' | 'cursor' | 'end' | 'start'>;

interface StreamReaderOptions {
  res: ServerResponse;
  streams: SseStreams;
  journal: ReadJournal;
  filter: EventFilter;
  see: See;
  /** The position to begin at; undefined if it has been dropped. */
  position: number | undefined;
  /** The cursor of that position, as the client gave it; undefined for the present. */
  after: string | undefined;
  now: () => Date;
  /** Shared by all readers: each may compare the whole journal with a pattern. */
  slice: TimeSlice;
  /** The client has disconnected, or the stream was ended. */
  closed(this: void): void;
}

export class StreamReader implements StreamOwner {
  readonly #stream: SseStream;
  readonly #journal: ReadJournal;
  readonly #filter: EventFilter;
  readonly #see: See;
  readonly #now: () => Date;
  readonly #after: string;
  readonly #slice: TimeSlice;
  #isPaused = false;
  #position: number;
  #hasGap: boolean;
  /** The client has not read everything: only the latest event of each resource is sent. */
  #isBehind = false;
  readonly #closed: () => void;

  constructor({ res, streams, journal, filter, see, position, after, now, slice, closed }: StreamReaderOptions) {
    this.#stream = new SseStream(res, streams, this);
    this.#closed = closed;
    this.#journal = journal;
    this.#filter = filter;
    this.#see = see;
    this.#now = now;
    this.#slice = slice;
    this.#position = position ?? journal.end;
    this.#after = after ?? journal.cursor;
    this.#hasGap = position === undefined;
  }

  begin(): void {
    this.#shakeHands();
    this.advance();
  }

  streamClosed(): void {
    this.#closed();
  }

  streamDrained(): void {
    this.advance();
  }

  /** Sends new events, as far as the socket accepts them. Many are sent in time slices. */
  advance(): void {
    if (!this.#isPaused) this.#advance(true);
  }

  /** `latest` is kept over pauses only: a reader whose socket is full holds nothing. */
  #advance(mayBegin: boolean, latest?: LatestUpdates): void {
    const { end, start } = this.#journal;
    if (!this.#stream.ready) {
      if (this.#position < end) this.#isBehind = true;
      return;
    }
    if (this.#position < start) this.#hasGap = true;
    if (this.#hasGap) {
      this.#hasGap = false;
      this.#position = end;
      this.#write(
        sseEvent(JSON.stringify({ type: 'gap', timestamp: this.#now().toISOString() }), { id: this.#journal.cursor }),
      );
    }
    for (let mayGoOn = mayBegin; this.#position < end && this.#stream.ready; mayGoOn = false) {
      const pause = mayGoOn ? undefined : this.#slice.pause();
      if (pause) return this.#goOnAfter(pause, latest);
      // After the check: if this alone takes longer than a slice, at least one event is sent.
      if (this.#isBehind && !latest?.covers(this.#position)) {
        latest = new LatestUpdates(this.#journal, this.#position, end);
      }
      this.#write(this.#nextPiece(latest?.end ?? end, latest));
    }
    if (this.#position === end) this.#isBehind = false;
  }

  #goOnAfter(pause: Promise<void>, latest: LatestUpdates | undefined): void {
    this.#isPaused = true;
    void pause.then(() => {
      this.#isPaused = false;
      this.#advance(false, latest);
    });
  }

  end(lastWords?: string): void {
    this.#stream.end(lastWords);
  }

  /**
   * Sends the cursor where the stream begins, so that a client that loses the connection right after it skips nothing.
   */
  #shakeHands(): void {
    const cursor = this.#after;
    const handshake = { type: 'handshake', status: 'ready', cursor, timestamp: this.#now().toISOString() };
    // An unknown cursor is text of the client, and is not sent back.
    const greeting = sseEvent(JSON.stringify(handshake), { id: this.#hasGap ? undefined : cursor });
    this.#write(sseRetry(retryMs) + greeting);
  }

  #nextPiece(end: number, latest: LatestUpdates | undefined): string {
    const frames: string[] = [];
    const last = Math.min(end, this.#position + entriesAtOnce);
    for (let length = 0; this.#position < last && length < pieceLength; this.#position += 1) {
      const entry = this.#journal.at(this.#position);
      const seen = entry && this.#see(entry.event);
      if (entry === undefined || seen === undefined || !this.#filter(seen)) continue;
      if (latest && entry.event.type === 'resource_update' && !latest.has(this.#position)) continue;
      const json = seen === entry.event ? entry.json : JSON.stringify(seen);
      const text = sseEvent(json, { id: entry.cursor });
      frames.push(text);
      length += text.length;
    }
    return frames.join('');
  }

  #write(text: string): void {
    if (text !== '') this.#stream.write(text, 'utf8');
  }
}
