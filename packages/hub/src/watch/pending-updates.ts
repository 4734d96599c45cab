// Announced updates that were not handled yet: each URI once, however often it is announced. So a burst of
// announcements takes no more memory than its resources.
import type { Clock } from '@tidings/live';
import { WakeUp } from '@tidings/live/time';

export interface Outage {
  reason: string;
  /** When the next attempt to connect is made. */
  retryInMs: number;
  /** Where the server answers again, but with an HTTP error. */
  httpStatus: number | undefined;
}

export class PendingUpdates {
  readonly #updated = new Map<string, number>();
  #isListChanged = false;
  #outage: Outage | undefined;
  #isWoken = false;
  readonly #wakeUp: WakeUp;

  constructor(clock: Clock) {
    this.#wakeUp = new WakeUp(clock);
  }

  /** `at` is when it was announced; the first time counts. */
  updated(uri: string, at: number): void {
    if (!this.#updated.has(uri)) this.#updated.set(uri, at);
    this.wake();
  }

  listChanged(): void {
    this.#isListChanged = true;
    this.wake();
  }

  /** Kept until it is taken, though the server may be back by then. */
  lost(outage: Outage): void {
    this.#outage ??= outage;
    this.wake();
  }

  /** Makes `woken` resolve: something may have changed. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp.wake();
  }

  /** Resolves when anything was announced since it last resolved. */
  async woken(): Promise<void> {
    if (!this.#isWoken) await this.#wakeUp.wait();
    this.#isWoken = false;
  }

  takeUpdated(): ReadonlyMap<string, number> {
    const taken = new Map(this.#updated);
    this.#updated.clear();
    return taken;
  }

  takeListChanged(): boolean {
    const taken = this.#isListChanged;
    this.#isListChanged = false;
    return taken;
  }

  takeOutage(): Outage | undefined {
    const taken = this.#outage;
    this.#outage = undefined;
    return taken;
  }
}
