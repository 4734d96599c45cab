// Some servers notify before their own reads show the change. If the read after a notification returns the old
// content, the resource is read again a few times, with growing pauses. If another notification comes meanwhile, all
// of that is repeated: what is found first may be the content of the earlier one.
import type { Clock, Timer } from '@tidings/live';

const delaysMs = [500, 2000, 5000];

interface Series {
  /** What reads returned before the notification. */
  old: string;
  step: number;
  timer: Timer;
  /** A notification came after it began. */
  isNotified: boolean;
}

export class LaterLooks {
  /** Reads the resource; resolves with its hash, if it is known. Never rejects. */
  readonly #look: (uri: string) => Promise<string | undefined>;
  readonly #clock: Clock;
  readonly #series = new Map<string, Series>();

  constructor(look: (uri: string) => Promise<string | undefined>, clock: Clock) {
    this.#look = look;
    this.#clock = clock;
  }

  /** A resource that is already being checked is not started again, so repeated notifications cost little. */
  request(uri: string, old: string): void {
    if (!this.#series.has(uri)) this.#begin(uri, old);
  }

  notified(uri: string): void {
    const series = this.#series.get(uri);
    if (series) series.isNotified = true;
  }

  forget(uri: string): void {
    this.#series.get(uri)?.timer.cancel();
    this.#series.delete(uri);
  }

  clear(): void {
    for (const uri of this.#series.keys()) this.forget(uri);
  }

  #begin(uri: string, old: string): void {
    this.#series.set(uri, { old, step: 0, timer: this.#wait(uri, 0), isNotified: false });
  }

  #wait(uri: string, step: number): Timer {
    return this.#clock.after(delaysMs[step] ?? 0, () => void this.#check(uri, this.#series.get(uri)));
  }

  async #check(uri: string, series: Series | undefined): Promise<void> {
    const found = await this.#look(uri);
    if (series === undefined || this.#series.get(uri) !== series) return;
    const isOther = found !== undefined && found !== series.old;
    series.step += 1;
    if (!isOther && series.step < delaysMs.length) series.timer = this.#wait(uri, series.step);
    else if (series.isNotified) this.#begin(uri, found ?? series.old);
    else this.#series.delete(uri);
  }
}
