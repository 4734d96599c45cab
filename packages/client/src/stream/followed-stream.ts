// Follows an event stream from a position: after a lost connection, a restart of the server or sleep it is opened again
// where it ended. A connection that died without being closed is noticed by missing heartbeats.
import { Backoff, type BackoffOptions, type Clock, type Timer, backoffMs, every } from '@tidings/live/time';
import { eventFrames } from './event-frames.ts';

/** `refused`: the hub asks for another token. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'refused';

/** How a stream is requested and read, and the callbacks for its events and states. Default: from now on. */
export interface FollowedStreamOptions<Event> {
  /** Requests the stream after `cursor`, or from now on. */
  request(this: void, cursor: string | undefined, signal: AbortSignal): Promise<Response>;
  /** Where to begin. Default: with the next event. */
  cursor?: string | undefined;
  /** Checks the data of a frame; undefined if the event is unknown, which is then skipped. */
  parse(this: void, data: unknown): Event | undefined;
  /** Whether the stream counts as open from this event on. Default: it is open when the server answers. */
  isHandshake?(this: void, event: Event): boolean;
  /** Called for each event once, in order. `cursor` is the position after this event. */
  event(this: void, event: Event, cursor: string | undefined): void;
  state(this: void, state: StreamState): void;
  clock: Clock;
  /** The pauses between attempts to connect. Default: from 300 ms to 5 s. */
  pauses?: BackoffOptions;
}

/** Two and a half heartbeats. */
const silenceMs = 38_000;
/**
 * The first time limit of a handshake. After sleep the runtime reuses dead connections one by one, and none of them
 * answers.
 */
const handshake = { firstMs: 4000, longestMs: 20_000 };
const checkMs = 1000;
const defaultPauses = { firstMs: 300, longestMs: 5000 };

/**
 * Follows an event stream across lost connections and sleep.
 *
 * @example
 * new FollowedStream({ clock: systemClock, request, parse, event: console.log, state: console.log }).start();
 */
export class FollowedStream<Event> {
  readonly #options: FollowedStreamOptions<Event>;
  readonly #backoff: Backoff;
  #cursor: string | undefined;
  #receivedAt = 0;
  /** Attempts since the last handshake; 0 while the stream is open. */
  #attempts = 0;
  #abort = new AbortController();
  #pause: Timer | undefined;
  #check: Timer | undefined;

  constructor(options: FollowedStreamOptions<Event>) {
    this.#options = options;
    this.#cursor = options.cursor;
    this.#backoff = new Backoff(options.pauses ?? defaultPauses);
  }

  start(): void {
    this.#check = every(this.#options.clock, checkMs, () => this.#checkSilence());
    void this.#open();
  }

  /** Opens the stream again, now. */
  reconnect(): void {
    this.#abort.abort();
    this.#pause?.cancel();
    this.#backoff.reset();
    void this.#open();
  }

  /** Opens the stream again if the machine may have slept: nothing was received for longer than a heartbeat. */
  wake(): void {
    if (this.#silence() > silenceMs / 2) this.reconnect();
  }

  close(): void {
    this.#check?.cancel();
    this.#pause?.cancel();
    this.#abort.abort();
  }

  #checkSilence(): void {
    const patience = this.#attempts === 0 ? silenceMs : backoffMs(this.#attempts, handshake);
    if (this.#pause === undefined && this.#silence() > patience) this.reconnect();
  }

  /**
   * Measured by the date, which advances while a machine sleeps. After the clock was set back it cannot be measured,
   * and counts as long.
   */
  #silence(): number {
    return Math.abs(this.#options.clock.date() - this.#receivedAt);
  }

  async #open(): Promise<void> {
    const { clock, state } = this.#options;
    const abort = new AbortController();
    this.#abort = abort;
    this.#pause = undefined;
    this.#receivedAt = clock.date();
    this.#attempts += 1;
    state('connecting');
    // Any error: the next attempt shows whether it persists.
    const outcome = await this.#read(abort.signal).catch(() => 'waiting' as const);
    if (abort.signal.aborted) return;
    abort.abort();
    state(outcome);
    this.#pause = clock.after(this.#backoff.next(), () => void this.#open());
  }

  /** Until the stream ends. */
  async #read(signal: AbortSignal): Promise<'waiting' | 'refused'> {
    const { clock, request, parse, isHandshake, event } = this.#options;
    const response = await request(this.#cursor, signal);
    if (response.status === 401 || response.status === 403) return 'refused';
    if (!response.ok || response.body === null) return 'waiting';
    if (isHandshake === undefined) this.#opened();
    const received = () => (this.#receivedAt = clock.date());
    for await (const { id, data } of eventFrames(response.body, received)) {
      if (signal.aborted) break;
      const parsed = parse(JSON.parse(data));
      if (id !== undefined) this.#cursor = id;
      if (parsed === undefined) continue;
      if (isHandshake?.(parsed) === true) this.#opened();
      event(parsed, this.#cursor);
    }
    return 'waiting';
  }

  #opened(): void {
    this.#backoff.reset();
    this.#attempts = 0;
    this.#options.state('open');
  }
}
