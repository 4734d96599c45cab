// When to look at QStash for changes that were made elsewhere: regularly while somebody watches, and
// never otherwise.
import type { Clock, Log, Timer } from '@tidings/live';

export interface PollOptions {
  look: () => Promise<unknown>;
  pollMs: number;
  clock: Clock;
  random: () => number;
  log: Log;
}

/** Many servers that were started together shall not ask together. */
const jitter = 0.1;
/** An account that refuses us is asked less often, down to an eighth. */
const mostDoublings = 3;

export class Poll {
  readonly #options: PollOptions;
  /** How many watch each topic. */
  readonly #watchers = new Map<string, number>();
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #isAskedAgain = false;
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

  /** Looks at once, so that what changes from now on can be told from what was there. */
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

  /** A look that began earlier may miss what this one is for: there will be another after it. */
  look(): void {
    if (this.#isClosed) return;
    if (this.#looking) this.#isAskedAgain = true;
    else this.#looking = this.#lookNow();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#looking;
  }

  async #lookNow(): Promise<void> {
    const { look, log } = this.#options;
    this.#timer?.cancel();
    do {
      this.#isAskedAgain = false;
      try {
        await look();
        if (this.#failures > 0) log.warn({}, 'QStash answers again.');
        this.#failures = 0;
      } catch (error) {
        // Once per outage. Only the message: a stack has nothing to add, and less can be in it.
        const reason = error instanceof Error ? error.message : 'unknown';
        if (this.#failures === 0 && !this.#isClosed) log.warn({ reason }, 'Changes in QStash cannot be seen.');
        this.#failures += 1;
      }
    } while (this.#isAskedAgain && !this.#isClosed);
    this.#looking = undefined;
    if (this.isWatched && !this.#isClosed) this.#timer = this.#options.clock.after(this.#delay(), () => this.look());
  }

  #delay(): number {
    const { pollMs, random } = this.#options;
    return pollMs * 2 ** Math.min(this.#failures, mostDoublings) * (1 - jitter * random());
  }
}
