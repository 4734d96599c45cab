// Values whose changes OBS does not announce: settings, devices, transforms and blend modes. They are polled at a low
// rate while a resource that shows them is watched.
import type { Clock, Timer } from '@tidings/live';
import { every } from '@tidings/live/time';
import { type Need, deviceOf, itemsOf, needKey } from '../model/need.ts';
import type { Obs } from './obs.ts';

interface UnannouncedChangesOptions {
  clock: Clock;
  /** The polling interval. */
  pollMs: number;
}

type NeedsOf = (obs: Obs) => readonly Need[];

export class UnannouncedChanges {
  readonly #obs: Obs;
  readonly #options: UnannouncedChangesOptions;
  readonly #watched = new Set<NeedsOf>();
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(obs: Obs, options: UnannouncedChangesOptions) {
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

  #watch(wanted: NeedsOf): () => void {
    this.#watched.add(wanted);
    if (this.#watched.size === 1 && !this.#isClosed) this.#timer = this.#begin();
    return () => {
      this.#watched.delete(wanted);
      if (this.#watched.size === 0) this.#timer?.cancel();
    };
  }

  #begin(): Timer {
    const { clock, pollMs } = this.#options;
    // If OBS is not connected or the connection is lost, everything is read at the next connection.
    return every(clock, pollMs, () => this.#poll().catch(() => undefined));
  }

  async #poll(): Promise<void> {
    const needs = [...this.#watched].flatMap((wanted) => wanted(this.#obs));
    await this.#obs.refreshIfPossible(...new Map(needs.map((need) => [needKey(need), need])).values());
  }
}
