// Looks that nobody waits for: few at a time, each resource at most once in line, and with pauses, so that
// under load there is more time for telling than for looking.
import type { Clock } from '@tidings/live';
import { delay } from '@tidings/live/time';

const atOnce = 2;
/** The pause after a look, in terms of how long it took. */
const restFactor = 2;

export class BackgroundLooks {
  readonly #look: (uri: string) => Promise<unknown>;
  readonly #clock: Clock;
  readonly #waiting = new Set<string>();
  #running = 0;

  /** `look` never rejects. */
  constructor(look: (uri: string) => Promise<unknown>, clock: Clock) {
    this.#look = look;
    this.#clock = clock;
  }

  request(uri: string): void {
    this.#waiting.add(uri);
    if (this.#running < atOnce) void this.#work();
  }

  clear(): void {
    this.#waiting.clear();
  }

  async #work(): Promise<void> {
    this.#running += 1;
    for (const uri of this.#waiting) {
      this.#waiting.delete(uri);
      const begun = this.#clock.now();
      await this.#look(uri);
      if (this.#waiting.size > 0) await delay(this.#clock, (this.#clock.now() - begun) * restFactor);
    }
    this.#running -= 1;
  }
}
