// Samples of values that change continuously and that OBS never announces. While a resource is watched, it is sampled
// at most once per interval for all readers and watchers; otherwise each read takes a sample.
import type { Clock, Timer } from '@tidings/live';

interface SamplerOptions<P, T> {
  clock: Clock;
  everyMs(this: void, params: P): number;
  take(this: void, params: P): Promise<T>;
  isSame(this: void, before: T, after: T): boolean;
  /** The latest sample differs from the one before. */
  changed(this: void, uri: string): void;
}

interface Sampled<P, T> {
  readonly params: P;
  watchers: number;
  timer: Timer | undefined;
  /** Undefined before the first sample, and while none could be taken. */
  sample: { value: T; at: number } | undefined;
  taking: Promise<T> | undefined;
}

export class Sampler<P, T> {
  readonly #options: SamplerOptions<P, T>;
  readonly #watched = new Map<string, Sampled<P, T>>();

  constructor(options: SamplerOptions<P, T>) {
    this.#options = options;
  }

  watch(uri: string, params: P): () => void {
    const watched = this.#watched.get(uri) ?? {
      params,
      watchers: 0,
      timer: undefined,
      sample: undefined,
      taking: undefined,
    };
    this.#watched.set(uri, watched);
    watched.watchers += 1;
    if (watched.watchers === 1) this.#later(uri, watched);
    return () => {
      watched.watchers -= 1;
      if (watched.watchers > 0) return;
      watched.timer?.cancel();
      this.#watched.delete(uri);
    };
  }

  read(uri: string, params: P): Promise<T> {
    const watched = this.#watched.get(uri);
    if (watched === undefined) return this.#options.take(params);
    const { sample } = watched;
    return sample !== undefined && !this.#isDue(watched) ? Promise.resolve(sample.value) : this.#take(uri, watched);
  }

  close(): void {
    for (const { timer } of this.#watched.values()) timer?.cancel();
    this.#watched.clear();
  }

  #later(uri: string, watched: Sampled<P, T>): void {
    if (this.#watched.get(uri) !== watched) return;
    const { clock } = this.#options;
    const everyMs = this.#options.everyMs(watched.params);
    // A read in between has postponed the next sample.
    const dueMs = watched.sample === undefined ? everyMs : watched.sample.at + everyMs - clock.now();
    watched.timer = clock.after(Math.max(dueMs, 1), () => void this.#sampleIfDue(uri, watched));
  }

  async #sampleIfDue(uri: string, watched: Sampled<P, T>): Promise<void> {
    const isFirst = watched.sample === undefined;
    if (this.#isDue(watched)) {
      try {
        await this.#take(uri, watched);
        if (isFirst) this.#options.changed(uri);
      } catch {
        // OBS is not connected, or no longer has the source: the next sample counts as a change.
        watched.sample = undefined;
      }
    }
    this.#later(uri, watched);
  }

  #isDue({ sample, params }: Sampled<P, T>): boolean {
    return sample === undefined || this.#options.clock.now() - sample.at >= this.#options.everyMs(params);
  }

  /** All callers during one sample get that sample. */
  #take(uri: string, watched: Sampled<P, T>): Promise<T> {
    const { clock, take, isSame, changed } = this.#options;
    watched.taking ??= take(watched.params)
      .then((value) => {
        const before = watched.sample;
        watched.sample = { value, at: clock.now() };
        if (before !== undefined && !isSame(before.value, value)) changed(uri);
        return value;
      })
      .finally(() => (watched.taking = undefined));
    return watched.taking;
  }
}
