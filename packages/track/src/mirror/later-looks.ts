// Some servers notify before their own reads show the change. If the read after a notification returns the old
// content, the resource is read again a few times, with growing pauses.
import type { Clock, Timer } from '@tidings/live';

const delaysMs = [500, 2000, 5000];

export class LaterLooks {
  /** Reads the resource; resolves with whether it has changed. Never rejects. */
  readonly #look: (uri: string) => Promise<boolean>;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Timer>();

  constructor(look: (uri: string) => Promise<boolean>, clock: Clock) {
    this.#look = look;
    this.#clock = clock;
  }

  /** A resource that is already being checked is not started again, so repeated notifications cost nothing extra. */
  request(uri: string): void {
    if (!this.#waiting.has(uri)) this.#wait(uri, 0);
  }

  forget(uri: string): void {
    this.#waiting.get(uri)?.cancel();
    this.#waiting.delete(uri);
  }

  clear(): void {
    for (const uri of this.#waiting.keys()) this.forget(uri);
  }

  #wait(uri: string, step: number): void {
    const delay = delaysMs[step];
    if (delay === undefined) return void this.#waiting.delete(uri);
    const timer = this.#clock.after(delay, () => {
      void this.#look(uri).then((isOther) => {
        if (this.#waiting.get(uri) !== timer) return;
        if (isOther) this.#waiting.delete(uri);
        else this.#wait(uri, step + 1);
      });
    });
    this.#waiting.set(uri, timer);
  }
}
