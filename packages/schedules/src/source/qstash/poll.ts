// Polls QStash for changes that were made elsewhere, regularly while a topic is watched, and not otherwise.
import type { Clock, Log, Timer } from '@tidings/live';
import { messageOf } from '@tidings/live/portable';
import { Rerun, backoffMs } from '@tidings/live/time';

interface PollOptions {
  look: () => Promise<unknown>;
  pollMs: number;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** The random part of the interval, so that servers that were started together do not poll together. */
const jitter = 0.1;
/** An account that refuses requests is polled less often: the interval grows up to this factor. */
const longestFactor = 8;

export class Poll {
  readonly #options: PollOptions;
  /** The number of watchers of each topic. */
  readonly #watchers = new Map<string, number>();
  readonly #looking = new Rerun(() => this.#lookOnce());
  #timer: Timer | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(options: PollOptions) {
    this.#options = options;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  get watched(): string[] {
    return [...this.#watchers.keys()];
  }

  /** Polls at once, so that later changes can be detected. */
  watch(topic: string): () => void {
    this.#watchers.set(topic, (this.#watchers.get(topic) ?? 0) + 1);
    this.look();
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      const others = (this.#watchers.get(topic) ?? 0) - 1;
      if (others > 0) this.#watchers.set(topic, others);
      else this.#watchers.delete(topic);
      if (!this.isWatched) this.#timer?.cancel();
    };
  }

  look(): void {
    void this.#looking.request();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#looking.stop();
  }

  async #lookOnce(): Promise<void> {
    const { clock, look, log } = this.#options;
    this.#timer?.cancel();
    try {
      await look();
      if (this.#failures > 0) log.warn({}, 'QStash answers again.');
      this.#failures = 0;
    } catch (error) {
      // Logged once per outage, and only the message: a stack could contain secrets.
      const reason = messageOf(error);
      if (this.#failures === 0 && !this.#isClosed) log.warn({ reason }, 'Changes in QStash cannot be seen.');
      this.#failures += 1;
    }
    if (this.isWatched && !this.#isClosed) this.#timer = clock.after(this.#intervalMs(), () => this.look());
  }

  #intervalMs(): number {
    const { pollMs, random } = this.#options;
    const interval = { firstMs: pollMs, longestMs: longestFactor * pollMs };
    return backoffMs(this.#failures + 1, interval) * (1 - jitter * random());
  }
}
