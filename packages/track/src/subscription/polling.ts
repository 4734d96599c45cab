// Resources without a subscription are read regularly, as often as their own `ttlMs` says, within bounds and
// spread over time. Only so many reads of one server wait for their answers: a server that answers slowly would
// otherwise get a connection for each of its resources, and be slower still.
import type { Clock, Timer } from '@tidings/live';

export interface PollBounds {
  /** If the server gives no `ttlMs`. */
  usualMs: number;
  shortestMs: number;
  longestMs: number;
}

interface PollingOptions {
  /** Reads the resource; resolves with its `ttlMs`, if it has one. Never rejects. */
  read(this: void, uri: string): Promise<number | undefined>;
  bounds: PollBounds;
  clock: Clock;
  random: () => number;
}

/** Reads that wait for an answer at the same time. */
const atOnce = 32;

export class Polling {
  readonly #options: PollingOptions;
  readonly #timers = new Map<string, Timer>();
  /** The last known `ttlMs` of each URI: a failed read or a new session does not change it. */
  readonly #ttls = new Map<string, number>();
  /** The URIs whose timer has fired and that wait for a free place, with that timer. */
  readonly #due = new Map<string, Timer>();
  #reading = 0;

  constructor(options: PollingOptions) {
    this.#options = options;
  }

  get uris(): ReadonlySet<string> {
    return new Set(this.#timers.keys());
  }

  get size(): number {
    return this.#timers.size;
  }

  has(uri: string): boolean {
    return this.#timers.has(uri);
  }

  set(uris: ReadonlySet<string>): void {
    for (const uri of this.#timers.keys()) if (!uris.has(uri)) this.delete(uri);
    for (const uri of uris) this.add(uri);
  }

  add(uri: string): void {
    if (!this.#timers.has(uri)) this.#wait(uri);
  }

  delete(uri: string): void {
    this.#timers.get(uri)?.cancel();
    this.#timers.delete(uri);
    this.#ttls.delete(uri);
    this.#due.delete(uri);
  }

  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    this.#due.clear();
  }

  /** Fewer resources are polled more often: up to twenty of them three times as often as the usual. */
  get #usualMs(): number {
    const { usualMs } = this.#options.bounds;
    return Math.min(usualMs, Math.max(usualMs / 3, (this.size * usualMs) / 60));
  }

  #wait(uri: string): void {
    const { bounds, clock, random } = this.#options;
    const wanted = this.#ttls.get(uri) ?? this.#usualMs;
    const bounded = Math.min(bounds.longestMs, Math.max(bounds.shortestMs, wanted));
    const timer = clock.after(bounded * (0.9 + random() * 0.2), () => {
      this.#due.set(uri, timer);
      this.#read();
    });
    this.#timers.set(uri, timer);
  }

  #read(): void {
    for (const [uri, timer] of this.#due) {
      if (this.#reading === atOnce) return;
      this.#due.delete(uri);
      this.#reading += 1;
      void this.#options.read(uri).then((ttl) => {
        this.#reading -= 1;
        this.#readDone(uri, timer, ttl);
        this.#read();
      });
    }
  }

  #readDone(uri: string, timer: Timer, ttl: number | undefined): void {
    // Unless it was removed, or started again, in the meantime.
    if (this.#timers.get(uri) !== timer) return;
    if (ttl !== undefined && ttl > 0) this.#ttls.set(uri, ttl);
    this.#wait(uri);
  }
}
