// Background reads: few at a time, each resource queued at most once, with pauses between them, so that under
// load notifying takes precedence over reading.
import type { Clock } from '@tidings/live';
import { delay } from '@tidings/live/time';
import { HangingReads } from './hanging-reads.ts';

const atOnce = 2;
/** The pause after a read, as a multiple of its duration. */
const restFactor = 2;

export class BackgroundReads {
  readonly #read: (uri: string) => Promise<unknown>;
  readonly #clock: Clock;
  readonly #waiting = new Set<string>();
  readonly #hanging: HangingReads;
  #running = 0;

  /** `read` never rejects. */
  constructor(read: (uri: string) => Promise<unknown>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
    this.#hanging = new HangingReads(clock, atOnce);
  }

  request(uri: string): void {
    this.#waiting.add(uri);
    if (this.#running >= atOnce) return;
    this.#running += 1;
    // Deferred, because sending a request takes longer than notifying all listeners, which comes first.
    this.#clock.defer(() => void this.#work());
  }

  clear(): void {
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    for (const uri of this.#waiting) {
      this.#waiting.delete(uri);
      const begun = this.#clock.now();
      const isAnswered = await this.#hanging.ends(this.#read(uri));
      if (isAnswered && this.#waiting.size > 0) await delay(this.#clock, (this.#clock.now() - begun) * restFactor);
    }
    this.#running -= 1;
  }
}
