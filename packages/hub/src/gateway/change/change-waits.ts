// The pending calls of `wait_for_change`. There may be thousands for hours, so each is one small object with one timer,
// and all of them follow the journal together, in time slices.
import type { Clock, Timer } from '@tidings/live';
import type { WaitingCall } from '@tidings/live/internal';
import { Rerun, type TimeSlice } from '@tidings/live/time';
import type { Journal } from '@tidings/track';
import { type FoundChanges, type PickEvent, changesResult, changesSince } from './changes-since.ts';

/** Interval of progress notifications: hosts that wait for long calls do so while there is progress. */
const progressMs = 30_000;

type FollowedJournal = Pick<Journal, 'cursor' | 'follow' | 'read'>;

interface WantedChanges {
  seconds: number;
  /** The cursor after which events count. */
  since: string | undefined;
  pick: PickEvent;
  /** Keeps the URIs of a call watched for a while after it. */
  keep(this: void): Promise<void>;
}

export class ChangeWaits {
  readonly journal: FollowedJournal;
  readonly clock: Clock;
  readonly slice: TimeSlice;
  readonly #waits = new Set<Wait>();
  readonly #checking = new Rerun(() => this.#checkAll());
  #unfollow: (() => void) | undefined;

  /** `slice`: shared by everything that reads the journal for callers. */
  constructor(journal: FollowedJournal, clock: Clock, slice: TimeSlice) {
    this.journal = journal;
    this.clock = clock;
    this.slice = slice;
  }

  begin(call: WaitingCall, wanted: WantedChanges): { stop(): void } {
    const wait = new Wait(this, call, wanted);
    wanted.keep().then(
      () => wait.start(),
      (error: unknown) => wait.fail(error),
    );
    return wait;
  }

  add(wait: Wait): void {
    this.#waits.add(wait);
    this.#unfollow ??= this.journal.follow(() => void this.#checking.request());
  }

  delete(wait: Wait): void {
    this.#waits.delete(wait);
    if (this.#waits.size > 0) return;
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  async #checkAll(): Promise<void> {
    const waits = [...this.#waits];
    for (const each of waits) {
      const pause = this.slice.pause();
      if (pause) await pause;
      await each.check();
    }
  }
}

class Wait {
  readonly #waits: ChangeWaits;
  readonly #call: WaitingCall;
  readonly #wanted: WantedChanges;
  #startedAt = 0;
  #from: string | undefined;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(waits: ChangeWaits, call: WaitingCall, wanted: WantedChanges) {
    this.#waits = waits;
    this.#call = call;
    this.#wanted = wanted;
    this.#from = wanted.since;
  }

  start(): void {
    if (this.#isOver) return;
    this.#startedAt = this.#waits.clock.now();
    this.#waits.add(this);
    this.#wakeLater();
    void this.check();
  }

  async check(): Promise<void> {
    if (this.#isOver) return;
    const found = await this.#look();
    if (found && (found.events.length > 0 || found.has_gap)) this.#end(found);
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.stop();
    this.#call.fail(error);
  }

  stop(): void {
    this.#isOver = true;
    this.#timer?.cancel();
    this.#waits.delete(this);
  }

  #wakeLater(): void {
    const left = this.#wanted.seconds * 1000 - (this.#waits.clock.now() - this.#startedAt);
    this.#timer = this.#waits.clock.after(Math.min(left, progressMs), () => this.#wake());
  }

  #wake(): void {
    const { seconds: total, keep } = this.#wanted;
    const waitedMs = this.#waits.clock.now() - this.#startedAt;
    // A timer may run a little early.
    if (waitedMs + 1 >= total * 1000) {
      void this.#look().then((found) => found && this.#end(found));
      return;
    }
    this.#wakeLater();
    // Watches are kept for a limited time, so they are renewed. If that fails now, the server was removed.
    keep().catch(() => undefined);
    this.#call.progress({ progress: Math.round(waitedMs / 1000), total });
  }

  /** Undefined if reading failed; the call was then answered with the error. */
  async #look(): Promise<FoundChanges | undefined> {
    try {
      const found = await changesSince(this.#waits, this.#from, this.#wanted.pick);
      // Events up to here are not examined again.
      this.#from = found.cursor;
      return found;
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  #end(found: FoundChanges): void {
    if (this.#isOver) return;
    this.stop();
    this.#call.answer(changesResult(found));
  }
}
