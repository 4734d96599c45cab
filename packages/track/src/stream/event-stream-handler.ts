// The event stream over HTTP: a `(req, res)` handler that any Node server can mount.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, LiveError, errorCodes } from '@tidings/live';
import { SseStreams, requestTarget, sseRetry } from '@tidings/live/internal';
import { TimeSlice, oncePerTick, oneByOne } from '@tidings/live/time';
import { type EventFilter, eventFilter, requestedPattern } from '@tidings/client/contract';
import type { Journal } from '../journal/journal.ts';
import { type ReadJournal, type See, StreamReader } from './stream-reader.ts';

interface EventStreamOptions {
  journal: ReadJournal & Pick<Journal, 'follow' | 'positionAfter'>;
  clock: Clock;
  heartbeatMs: number;
  maxReaders: number;
}

/** A client that reads nothing for this many heartbeats is disconnected. */
const patience = 20;
/** The `retry` sent when streams are drained; their ends are spread over time already. */
const drainRetryMs = 500;

/**
 * The event stream, as a handler for any Node server. `tracker.events` is one.
 *
 * @example
 * app.get('/events', tracker.events.handle);
 */
export class EventStreamHandler {
  readonly #options: EventStreamOptions;
  readonly #streams: SseStreams;
  readonly #slice: TimeSlice;
  readonly #readers = new Set<StreamReader>();
  readonly #unfollow: () => void;
  #isClosed = false;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    const { clock, maxReaders: limit, heartbeatMs: keepAliveMs } = options;
    this.#streams = new SseStreams({ clock, limit, keepAliveMs, comment: 'heartbeat', patience });
    this.#slice = new TimeSlice(clock);
    this.#unfollow = options.journal.follow(oncePerTick(clock, () => this.#flush()));
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** `see` filters events to what the reader may see. */
  readonly handle = (req: IncomingMessage, res: ServerResponse, see: See = (event) => event): void => {
    try {
      this.#open(req, res, see);
    } catch (error) {
      if (!(error instanceof LiveError)) throw error;
      const body = JSON.stringify({ error: { code: error.code, message: error.message } });
      res.writeHead(errorCodes[error.code].http, { 'Content-Type': 'application/json' }).end(body);
    }
  };

  /** Ends the open streams one by one within this time, and asks their clients to reconnect soon. */
  async drain(ms: number): Promise<void> {
    const ends = [...this.#readers].map((reader) => () => {
      reader.advance();
      reader.end(sseRetry(drainRetryMs));
    });
    await oneByOne(this.#options.clock, ms, ends);
  }

  close(): void {
    this.#isClosed = true;
    this.#unfollow();
    for (const reader of this.#readers) {
      reader.advance();
      reader.end();
    }
  }

  #open(req: IncomingMessage, res: ServerResponse, see: See): void {
    const { journal, clock } = this.#options;
    if (req.method !== 'GET') throw new LiveError('INVALID_PARAMS', 'The event stream is read with GET.');
    if (this.#isClosed) throw new LiveError('UNAVAILABLE', 'The tracker is closing. Try again later.');
    this.#streams.assertRoom();
    const { filter, after } = parseRequest(req);
    const position = after === undefined ? journal.end : journal.positionAfter(after);
    const now = () => new Date(clock.date());
    const closed = () => this.#readers.delete(reader);
    const [streams, slice] = [this.#streams, this.#slice];
    const reader = new StreamReader({ res, streams, journal, filter, see, position, after, now, slice, closed });
    this.#readers.add(reader);
    reader.begin();
  }

  #flush(): void {
    for (const reader of this.#readers) reader.advance();
  }
}

function parseRequest(req: IncomingMessage): { filter: EventFilter; after: string | undefined } {
  const query = requestTarget(req)?.searchParams;
  if (query === undefined) throw new LiveError('INVALID_PARAMS', 'The address cannot be read.');
  const uri = query.get('uri') ?? undefined;
  const problem = uri === undefined ? undefined : requestedPattern.safeParse(uri).error;
  if (problem) throw new LiveError('INVALID_PARAMS', `uri: the pattern ${problem.issues[0]?.message}.`);
  const lastEventId = req.headers['last-event-id'];
  return {
    filter: eventFilter({ server: query.get('server') ?? undefined, uri }),
    // A browser that reconnects sends both; the header is the newer one.
    after: (typeof lastEventId === 'string' ? lastEventId : undefined) || query.get('after') || undefined,
  };
}
