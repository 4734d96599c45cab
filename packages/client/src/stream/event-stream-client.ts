// Follows the event stream of a hub with a cursor of its own: after a lost connection, a restart of the hub or sleep
// it is opened again where it ended. A connection that died without being closed is noticed by missing heartbeats.
import { Backoff, type BackoffOptions, type Clock, type Timer, backoffMs, every } from '@tidings/live/time';
import { type StreamEvent, streamEvent } from '../contract/event.ts';
import { eventFrames } from './event-frames.ts';

/** `refused`: the hub asks for another token. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'refused';

/** How the stream is requested, and what is told of it. Default: from now on. */
export interface EventStreamClientOptions {
  /** Requests the stream after `cursor`; from now on without one. */
  request(this: void, cursor: string | undefined, signal: AbortSignal): Promise<Response>;
  /** Where to begin. Default: with what happens from now on. */
  cursor?: string | undefined;
  /** In order, each once. `cursor` is where the stream goes on after this event. */
  event(this: void, event: StreamEvent, cursor: string | undefined): void;
  state(this: void, state: StreamState): void;
  clock: Clock;
  /** Between attempts to connect. Default: from 300 ms to 5 s. */
  pauses?: BackoffOptions;
}

/** Two and a half heartbeats. */
const silenceMs = 38_000;
/**
 * How long the handshake may take, at first. Connections that died while the machine slept are used again by the
 * runtime, one by one, and none of them answers.
 */
const handshake = { firstMs: 4000, longestMs: 20_000 };
const checkMs = 1000;
const defaultPauses = { firstMs: 300, longestMs: 5000 };

/**
 * Follows an event stream across lost connections and sleep.
 *
 * @example
 * new EventStreamClient({ clock: systemClock, request, event: console.log, state: console.log }).start();
 */
export class EventStreamClient {
  readonly #options: EventStreamClientOptions;
  readonly #backoff: Backoff;
  #cursor: string | undefined;
  #receivedAt = 0;
  /** Attempts since the last handshake; 0 while the stream is open. */
  #attempts = 0;
  #abort = new AbortController();
  #pause: Timer | undefined;
  #check: Timer | undefined;

  constructor(options: EventStreamClientOptions) {
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

  /** By the date, which goes on while a machine sleeps. After a clock was set back it says nothing, so it counts. */
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
    // Whatever went wrong, the next attempt shows whether it still does.
    const outcome = await this.#read(abort.signal).catch(() => 'waiting' as const);
    if (abort.signal.aborted) return;
    abort.abort();
    state(outcome);
    this.#pause = clock.after(this.#backoff.next(), () => void this.#open());
  }

  /** Until the stream ends. */
  async #read(signal: AbortSignal): Promise<'waiting' | 'refused'> {
    const { clock, request, event, state } = this.#options;
    const response = await request(this.#cursor, signal);
    if (response.status === 401 || response.status === 403) return 'refused';
    if (!response.ok || response.body === null) return 'waiting';
    const received = () => (this.#receivedAt = clock.date());
    for await (const { id, data } of eventFrames(response.body, received)) {
      if (signal.aborted) break;
      const parsed = streamEvent.safeParse(JSON.parse(data));
      if (id !== undefined) this.#cursor = id;
      // A hub of another version may send more than is known here.
      if (!parsed.success) continue;
      if (parsed.data.type === 'handshake') {
        this.#backoff.reset();
        this.#attempts = 0;
        state('open');
      }
      event(parsed.data, this.#cursor);
    }
    return 'waiting';
  }
}
