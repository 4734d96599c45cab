// Delivers notifications when they are due. It sleeps until the next due time, and checks again when the feed
// announces, in this process or another, that this time may have changed.
import type { Clock, Log, Timer } from '@tidings/live';
import { Rerun, delay, endsWithin } from '@tidings/live/time';
import type { Destinations } from '../destination/destinations.ts';
import { computeAgain, toleranceMs } from './after-clock-jump.ts';
import { attempt } from './attempt.ts';
import type { Claimed } from './claim.ts';
import { claimDue } from './claim-due.ts';
import { ClockWatch } from './clock-watch.ts';
import { dueTopic } from './entries.ts';
import { newId } from './entry-id.ts';
import { NextDue } from './next-due.ts';
import type { DeliveryOutcome } from './retry.ts';
import { settle } from './settle.ts';
import type { ScheduleStore } from './tables.ts';

interface SchedulerOptions {
  store: ScheduleStore;
  destinations: Destinations;
  /** The name of this process in the history. */
  node: string;
  clock: Clock;
  log: Log;
  graceMs: number;
  leaseMs: number;
  /** The number of concurrent deliveries. */
  slots: number;
}

/** Timers stop while a machine sleeps, and do not notice a changed clock, so no timer is longer than this. */
const longestNapMs = 60_000;
/** How long to wait for another process that may be claiming a due entry right now. */
const politeMs = 50;
const afterErrorMs = 1000;
/**
 * How often values that another process computed with a clock ahead of ours are recomputed: if that clock stays wrong,
 * each time may cause one more delivery (tagged as a repetition).
 */
const othersAheadMs = 10 * 60_000;
const endOfTime = 8.64e15;
const closePatienceMs = 5000;

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #nextDue: NextDue;
  readonly #underWay = new Set<Promise<void>>();
  readonly #unfollow: () => void;
  readonly #looking = new Rerun(() => this.#lookOnce());
  #timer: Timer | undefined;
  #isClosed = false;
  #isFailing = false;
  readonly #clockWatch: ClockWatch;
  /**
   * From when values of a clock that was ahead may be recomputed, by `clock.now()`. At the start and after a jump: at
   * once.
   */
  #mayComputeAt = 0;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#nextDue = new NextDue(options.store.db);
    this.#clockWatch = new ClockWatch(options.clock, toleranceMs);
    this.#mayComputeAt = options.clock.now();
    this.#unfollow = options.store.feed.follow({
      change: ({ topics }) => {
        if (topics.includes(dueTopic)) this.#look();
      },
      gap: () => this.#look(),
    });
    this.#look();
  }

  /** Waits for deliveries in progress. After a time limit, their leases run out instead. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unfollow();
    this.#timer?.cancel();
    await this.#looking.stop();
    await endsWithin(this.#options.clock, closePatienceMs, Promise.all(this.#underWay));
  }

  /** Checks for due deliveries. */
  #look(): void {
    void this.#looking.request();
  }

  async #lookOnce(): Promise<void> {
    try {
      await this.#takeWhatIsDue();
      this.#isFailing = false;
    } catch (error) {
      const { log, clock } = this.#options;
      if (!this.#isFailing) log.warn({ err: error }, 'Due schedules could not be read; trying again every second.');
      this.#isFailing = true;
      this.#sleepUntil(clock.date() + afterErrorMs);
    }
  }

  async #takeWhatIsDue(): Promise<void> {
    const { store, destinations, node, clock, graceMs, leaseMs, slots } = this.#options;
    const limit = slots - this.#underWay.size;
    // The end of the next delivery leads to another check.
    if (limit <= 0) return;
    const { moment: due, computedAt, hasMissed } = await this.#nextDue.read();
    if (this.#clockWatch.hasJumped()) this.#mayComputeAt = clock.now();
    const now = clock.date();
    const isAhead = computedAt > now + toleranceMs;
    if (isAhead && clock.now() >= this.#mayComputeAt) {
      await this.#computeAgain(computedAt, now);
      this.#look();
      return;
    }
    if (due === undefined || due > now) {
      const again = isAhead ? now + this.#mayComputeAt - clock.now() : Number.POSITIVE_INFINITY;
      const moment = Math.min(due ?? Number.POSITIVE_INFINITY, again);
      // A missed one-off may become due again if the clock is set back.
      this.#sleepUntil(Number.isFinite(moment) || hasMissed ? moment : undefined);
    } else {
      const owner = newId('run');
      const rules = { engine: store.engine, now, limit, graceMs, leaseMs, owner, node, destinations };
      const claimed = await store.write((writing) => claimDue(writing, rules));
      for (const each of claimed) this.#start(each);
      // A claim is announced, which leads to the next check; without a claim, a short time must pass.
      if (!this.#looking.isRequested) this.#sleepUntil(now + politeMs);
    }
  }

  async #computeAgain(computedAt: number, now: number): Promise<void> {
    const { store, clock, graceMs, log } = this.#options;
    let count = 0;
    for (let some = -1; some !== 0; count += some) {
      some = await store.write((writing) => computeAgain(writing, { engine: store.engine, now, graceMs }));
    }
    this.#mayComputeAt = clock.now() + othersAheadMs;
    // Data of an older version has no time of computation, which needs no warning.
    if (computedAt >= endOfTime) return;
    const fields = { count, ahead: new Date(computedAt).toISOString(), now: new Date(now).toISOString() };
    log.warn(fields, 'The clock was ahead, here or in another process: next occurrences were computed again.');
  }

  /** Checks again at this time; undefined: only when something changes. */
  #sleepUntil(moment: number | undefined): void {
    const { clock } = this.#options;
    this.#timer?.cancel();
    if (this.#isClosed || moment === undefined) return;
    const wait = moment - clock.date();
    this.#timer = clock.after(Math.max(0, Math.min(wait, longestNapMs)), () => {
      if (this.#clockWatch.hasJumped()) {
        this.#mayComputeAt = clock.now();
        this.#look();
      } else if (wait > longestNapMs) this.#sleepUntil(moment);
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
    const { destinations, clock, log, leaseMs } = this.#options;
    const leaseEnds = clock.now() + leaseMs;
    const outcome = await attempt(claimed, { destinations, clock, log, limitMs: leaseMs / 2 });
    await this.#settle(claimed, outcome, leaseEnds);
  }

  /** A result that is not stored leads to a second delivery, so storing it is retried until the lease ends. */
  async #settle(claimed: Claimed, outcome: DeliveryOutcome, leaseEnds: number): Promise<void> {
    const { store, destinations, node: by, clock, log } = this.#options;
    const destination = destinations.nameFor(claimed.topic, claimed.destination);
    for (;;) {
      try {
        const settled = { engine: store.engine, claimed, outcome, now: clock.date(), by, destination };
        await store.write((writing) => settle(writing, settled));
        return;
      } catch (error) {
        if (this.#isClosed || clock.now() + afterErrorMs >= leaseEnds) {
          log.error({ err: error, ...claimed, body: undefined }, 'The outcome of a delivery could not be written.');
          return;
        }
      }
      await delay(clock, afterErrorMs);
    }
  }
}
