// The hub's event stream, read with a cursor of our own: it is opened again after sleep, a restart of the
// hub or a lost network, and goes on where it was. EventSource would not notice a connection that died
// without a word; here, the hub's heartbeats are missed.
import { Backoff, type Timer, backoffMs, every, systemClock } from '@tidings/live/time';
import { framesOf } from './server-sent-events.ts';
import { type StreamEvent, eventSchema } from './schemas.ts';

export type StreamState = 'connecting' | 'open' | 'waiting' | 'refused';

export interface StreamListener {
  /** In order, each once. */
  event(event: StreamEvent, cursor: string): void;
  /** `refused`: the hub asks for a token. */
  state(state: StreamState): void;
}

/** Two and a half heartbeats. */
const silenceMs = 38_000;
/**
 * How long a hub that is there may take to greet, at first. Connections that died while nobody looked are used
 * again by the browser, one by one, and none of them answers.
 */
const greeting = { firstMs: 4000, longestMs: 20_000 };
const checkMs = 1000;
const retry = { firstMs: 300, longestMs: 5000 };

export class EventStream {
  readonly #listener: StreamListener;
  #cursor: string;
  readonly #backoff = new Backoff(retry);
  #heardAt = 0;
  /** Attempts since the hub last greeted; none while the stream is open. */
  #ungreeted = 0;
  #abort = new AbortController();
  #timer: Timer | undefined;

  constructor(cursor: string, listener: StreamListener) {
    this.#cursor = cursor;
    this.#listener = listener;
  }

  start(): void {
    addEventListener('online', () => this.#again());
    document.addEventListener('visibilitychange', () => {
      // Timers stand still while a machine sleeps, so the silence is measured when it wakes.
      if (document.visibilityState === 'visible' && this.#silence() > silenceMs / 2) this.#again();
    });
    every(systemClock, checkMs, () => this.#checkSilence());
    void this.#open();
  }

  #again(): void {
    this.#abort.abort();
    this.#timer?.cancel();
    this.#backoff.reset();
    void this.#open();
  }

  #checkSilence(): void {
    const greetingWait = backoffMs(this.#ungreeted, greeting);
    const patience = this.#ungreeted === 0 ? silenceMs : greetingWait;
    if (this.#timer === undefined && this.#silence() > patience) this.#again();
  }

  /** By the clock on the wall, which goes on while a machine sleeps. One that was set back proves nothing was heard. */
  #silence(): number {
    return Math.abs(systemClock.date() - this.#heardAt);
  }

  async #open(): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    this.#timer = undefined;
    this.#heardAt = systemClock.date();
    this.#ungreeted += 1;
    this.#listener.state('connecting');
    // Whatever went wrong, the next attempt shows whether it still does.
    const outcome = await this.#read(abort.signal).catch(() => 'waiting' as const);
    if (abort.signal.aborted) return;
    this.#listener.state(outcome);
    this.#timer = systemClock.after(this.#backoff.next(), () => void this.#open());
  }

  /** Until it ends. */
  async #read(signal: AbortSignal): Promise<'waiting' | 'refused'> {
    const query = new URLSearchParams({ after: this.#cursor });
    const answer = await fetch(`/api/mcp/resource-events?${query}`, { signal, cache: 'no-store' });
    if (answer.status === 401) return 'refused';
    if (!answer.ok || answer.body === null) return 'waiting';
    for await (const { id, data } of framesOf(answer.body, () => (this.#heardAt = systemClock.date()))) {
      if (signal.aborted) break;
      const event = eventSchema.safeParse(JSON.parse(data));
      if (id !== undefined) this.#cursor = id;
      if (!event.success) continue;
      if (event.data.type === 'handshake') {
        this.#backoff.reset();
        this.#ungreeted = 0;
        this.#listener.state('open');
      }
      this.#listener.event(event.data, this.#cursor);
    }
    return 'waiting';
  }
}
