// Values whose changes OBS does not announce: settings, devices, transforms and blend modes. They are polled at a low
// rate while a resource that shows them is watched.
import type { Clock, Timer } from '@tidings/live';
import { type Need, deviceOf, itemsOf, needKey } from '../model/need.ts';
import type { Obs } from './obs.ts';

export interface QuietChangesOptions {
  clock: Clock;
  /** The polling interval. */
  lookMs: number;
}

type Wanted = (obs: Obs) => readonly Need[];

export class QuietChanges {
  readonly #obs: Obs;
  readonly #options: QuietChangesOptions;
  readonly #watched = new Set<Wanted>();
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(obs: Obs, options: QuietChangesOptions) {
    this.#obs = obs;
    this.#options = options;
  }

  watchSource(scene: string, source: string): () => void {
    return this.#watch(({ studio }) => [itemsOf(studio, scene), { of: 'input', name: source }]);
  }

  watchDevice(input: string): () => void {
    return this.#watch(({ studio }) => deviceOf(studio, input));
  }

  watchFilters(source: string): () => void {
    return this.#watch(() => [{ of: 'filters', name: source }]);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #watch(wanted: Wanted): () => void {
    this.#watched.add(wanted);
    if (this.#watched.size === 1) this.#later();
    return () => {
      this.#watched.delete(wanted);
      if (this.#watched.size === 0) this.#timer?.cancel();
    };
  }

  #later(): void {
    this.#timer?.cancel();
    if (this.#isClosed || this.#watched.size === 0) return;
    this.#timer = this.#options.clock.after(this.#options.lookMs, () => {
      // If OBS is not connected or the connection is lost, everything is read at the next connection.
      void this.#look()
        .catch(() => undefined)
        .then(() => this.#later());
    });
  }

  async #look(): Promise<void> {
    const needs = [...this.#watched].flatMap((wanted) => wanted(this.#obs));
    await this.#obs.lookAgain(...new Map(needs.map((need) => [needKey(need), need])).values());
  }
}
