// Makes things happen when they are due. It sleeps until the next moment that anything is, and looks again
// when anybody, here or in another process, announced that this may have changed.
import type { Clock, Log, Timer } from '@tidings/live';
import type { Notifier } from '../notifier.ts';
import { attempt } from './attempt.ts';
import { type Claimed, claimDue } from './claim.ts';
import { dueTopic } from './entries.ts';
import { newId } from './entry-id.ts';
import { NextDue } from './next-due.ts';
import type { Outcome } from './retry.ts';
import { settle } from './settle.ts';
import type { ScheduleStore } from './tables.ts';

export interface SchedulerOptions {
  store: ScheduleStore;
  notifier: Notifier;
  clock: Clock;
  log: Log;
  graceMs: number;
  leaseMs: number;
  /** How many deliveries are under way at once. */
  slots: number;
}

/**
 * Timers stand still while a machine sleeps, and know nothing of clocks that are set: so none runs for
 * longer than this. Waking up only to compare two numbers costs nothing.
 */
const longestNapMs = 60_000;
/** Until somebody else, who is just about to claim what is due, has done so. */
const politeMs = 50;
const afterErrorMs = 1000;
const closePatienceMs = 5000;

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #nextDue: NextDue;
  readonly #underWay = new Set<Promise<void>>();
  readonly #unfollow: () => void;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #isStale = false;
  #isClosed = false;
  #isFailing = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#nextDue = new NextDue(options.store.db);
    this.#unfollow = options.store.feed.follow({
      change: ({ topics }) => {
        if (topics.includes(dueTopic)) this.#look();
      },
      gap: () => this.#look(),
    });
    this.#look();
  }

  /** Deliveries under way may finish. One that takes too long is left to its lease. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unfollow();
    this.#timer?.cancel();
    await this.#running;
    let patience: Timer | undefined;
    const tooLong = new Promise<void>((resolve) => {
      patience = this.#options.clock.after(closePatienceMs, resolve);
    });
    await Promise.race([Promise.all(this.#underWay), tooLong]);
    patience?.cancel();
  }

  /** Looks, soon, at what is due. Calls while it looks are one more look. */
  readonly #look = (): void => {
    if (this.#isClosed) return;
    this.#isStale = true;
    this.#running ??= this.#run();
  };

  async #run(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      try {
        await this.#takeWhatIsDue();
        this.#isFailing = false;
      } catch (error) {
        const { log, clock } = this.#options;
        if (!this.#isFailing) log.warn({ error }, 'What is due could not be read; trying again every second.');
        this.#isFailing = true;
        this.#sleepUntil(clock.date() + afterErrorMs);
      }
    }
    this.#running = undefined;
  }

  async #takeWhatIsDue(): Promise<void> {
    const { store, clock, graceMs, leaseMs, slots } = this.#options;
    const limit = slots - this.#underWay.size;
    // The next delivery that ends will look.
    if (limit <= 0) return;
    const due = await this.#nextDue.read();
    const now = clock.date();
    if (due === undefined) this.#timer?.cancel();
    else if (due > now) this.#sleepUntil(due);
    else {
      const rules = { engine: store.engine, now, limit, graceMs, leaseMs, owner: newId('run') };
      const claimed = await store.write((writing) => claimDue(writing, rules));
      for (const each of claimed) this.#start(each);
      // A claim announces itself and so leads to the next look; without one, time has to pass.
      if (!this.#isStale) this.#sleepUntil(now + politeMs);
    }
  }

  #sleepUntil(moment: number): void {
    const { clock } = this.#options;
    this.#timer?.cancel();
    if (this.#isClosed) return;
    const wait = moment - clock.date();
    this.#timer = clock.after(Math.max(0, Math.min(wait, longestNapMs)), () => {
      if (wait > longestNapMs) this.#sleepUntil(moment);
      else this.#look();
    });
  }

  #start(claimed: Claimed): void {
    const delivery = this.#deliver(claimed).finally(() => {
      this.#underWay.delete(delivery);
      this.#look();
    });
    this.#underWay.add(delivery);
  }

  async #deliver(claimed: Claimed): Promise<void> {
    const { notifier, clock, log, leaseMs } = this.#options;
    const outcome = await attempt(claimed, { notifier, clock, log, limitMs: leaseMs / 2 });
    await this.#settle(claimed, outcome);
  }

  /** A result that is not written leads to a second delivery, so it is tried for as long as the lease. */
  async #settle(claimed: Claimed, outcome: Outcome): Promise<void> {
    const { store, clock, log } = this.#options;
    for (;;) {
      try {
        await store.write((writing) => settle(writing, store.engine, claimed, outcome, clock.date()));
        return;
      } catch (error) {
        if (this.#isClosed || clock.date() + afterErrorMs >= claimed.leaseEnds) {
          log.error({ error, ...claimed, body: undefined }, 'How a delivery went could not be written.');
          return;
        }
      }
      await new Promise<void>((resolve) => void clock.after(afterErrorMs, resolve));
    }
  }
}
