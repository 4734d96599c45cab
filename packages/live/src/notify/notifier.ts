// Turns changed topics into notifications. A change only marks dirty sets; each sink is written to once per tick.
// ARCHITECTURE.md ("One mechanism") says why this is enough.
import type { Clock } from '../time/clock.ts';
import type { Change, ChangeReader, Want } from '../feed/change.ts';
import type { Log } from '../base/log.ts';
import { TimeSlice } from '../time/time-slice.ts';
import { TopicIndex } from './topic-index.ts';
import { type Permit, PermissionChecks } from './permission-checks.ts';
import type { Sink } from './sink.ts';
import { Subscriber } from './subscriber.ts';
import type { Target, Watched } from './watched.ts';
import { Windows } from './windows.ts';

interface NotifierCounters {
  /** URIs and lists that changes marked as dirty, counted once per change. */
  dirty: number;
  /** Notifications written. */
  frames: number;
  /** Changes without a notification of their own, because one was already pending. */
  merged: number;
  failedSends: number;
}

export class Notifier implements ChangeReader {
  readonly interest: TopicIndex;
  readonly counters: NotifierCounters = { dirty: 0, frames: 0, merged: 0, failedSends: 0 };
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #flushLater: (task: () => void) => void;
  readonly #windows: Windows;
  readonly #subscribers = new Set<Subscriber>();
  #queue: Subscriber[] = [];
  #changes = 0;

  /**
   * `flushLater` runs a task after all changes that belong together are marked. Default: at the end of the tick. `want`
   * asks the feed for the topics that are watched.
   */
  constructor(
    clock: Clock,
    log: Log,
    flushLater: (task: () => void) => void = (task) => clock.defer(task),
    want?: (topic: string) => Want,
  ) {
    this.interest = new TopicIndex(want);
    this.#clock = clock;
    this.#log = log;
    this.#flushLater = flushLater;
    this.#windows = new Windows(clock, (watched) => this.#windowEnded(watched));
  }

  /** `permit` is called before each delivery. */
  attach(sink: Sink, permit?: Permit): Subscriber {
    const permissions = permit && new PermissionChecks(permit, this.#clock, this.#log);
    const subscriber = new Subscriber(this, sink, permissions);
    this.#subscribers.add(subscriber);
    return subscriber;
  }

  get subscribers(): number {
    return this.#subscribers.size;
  }

  change({ topics }: Pick<Change, 'topics'>): void {
    this.#changes += 1;
    for (const topic of topics) this.interest.forEachInterestedIn(topic, this.#touch);
  }

  gap(): void {
    this.#changes += 1;
    this.interest.forEach(this.#touch);
  }

  /** Moves each watched subject to its new target and marks it dirty. */
  rebind(changes: readonly (readonly [Watched, Target])[]): void {
    this.interest.rebind(changes);
    this.#changes += 1;
    for (const [watched] of changes) this.#touch(watched);
  }

  enqueue(subscriber: Subscriber): void {
    subscriber.queued = true;
    if (this.#queue.push(subscriber) === 1) this.#flushLater(() => this.#flush());
  }

  /** For work that may be long: see `TimeSlice`. */
  slice(): TimeSlice {
    return new TimeSlice(this.#clock);
  }

  defer(task: () => void): void {
    this.#clock.defer(task);
  }

  leave(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber);
  }

  sendFailed(error: unknown, message: string): void {
    this.counters.failedSends += 1;
    this.#log.error({ err: error }, message);
  }

  readonly #touch = (watched: Watched): void => {
    if (watched.lastChange === this.#changes) return;
    watched.lastChange = this.#changes;
    this.counters.dirty += 1;
    if (watched.inWindow) {
      if (watched.trailing) this.counters.merged += 1;
      watched.trailing = true;
    } else {
      this.#markSubscribers(watched);
    }
  };

  #windowEnded(watched: Watched): void {
    if (!watched.trailing) return;
    watched.trailing = false;
    this.#markSubscribers(watched);
  }

  #markSubscribers(watched: Watched): void {
    for (const subscription of watched.subscriptions) subscription.subscriber.markDirty(subscription);
    this.#windows.begin(watched);
  }

  #flush(): void {
    const queue = this.#queue;
    this.#queue = [];
    for (const subscriber of queue) {
      try {
        subscriber.flush();
      } catch (error) {
        // A stream that fails must not affect the others.
        subscriber.close();
        this.sendFailed(error, 'A stream failed and is closed.');
      }
    }
  }
}
