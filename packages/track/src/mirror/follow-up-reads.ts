// Some servers notify before their own reads show the change. If the read after a notification returns the old
// content, the resource is read again a few times, with growing pauses; also if it shows something else meanwhile, and
// once more if another notification came: the first new content may be that of an earlier notification.
import type { Clock, Timer } from '@tidings/live';

const delaysMs = [500, 2000, 5000];

interface Series {
  step: number;
  timer: Timer;
  /** A notification came after it began. */
  isNotified: boolean;
}

export class FollowUpReads {
  /** Reads the resource and reports a change. Never rejects. */
  readonly #read: (uri: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #series = new Map<string, Series>();

  constructor(read: (uri: string) => Promise<void>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** A resource that is already being checked is not started again, so repeated notifications cost little. */
  request(uri: string): void {
    if (!this.#series.has(uri)) this.#begin(uri);
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

  #begin(uri: string): void {
    this.#series.set(uri, { step: 0, timer: this.#wait(uri, 0), isNotified: false });
  }

  #wait(uri: string, step: number): Timer {
    return this.#clock.after(delaysMs[step] ?? 0, () => void this.#check(uri, this.#series.get(uri)));
  }

  async #check(uri: string, series: Series | undefined): Promise<void> {
    await this.#read(uri);
    if (series === undefined || this.#series.get(uri) !== series) return;
    series.step += 1;
    if (series.step < delaysMs.length) series.timer = this.#wait(uri, series.step);
    else if (series.isNotified) this.#begin(uri);
    else this.#series.delete(uri);
  }
}
