// One stream's subscriptions and its dirty set. The set holds which of them changed since the stream
// was last written to, never how often: that bounds the memory of a reader that stands still.
import type { Interest } from './interest.ts';
import type { NotifierCounters } from './notifier.ts';
import type { Sink } from './sink.ts';
import type { Subscription } from './subscription.ts';
import type { Subject, Target } from './watched.ts';

/** Asked before each delivery; a plain `true` costs nothing, a promise is waited for. */
export type Permit = (subject: Subject) => boolean | Promise<boolean>;

interface SubscriberHost {
  readonly interest: Interest;
  readonly counters: NotifierCounters;
  enqueue(subscriber: Subscriber): void;
  leave(subscriber: Subscriber): void;
  sendFailed(error: unknown): void;
}

export class Subscriber {
  readonly #host: SubscriberHost;
  readonly #sink: Sink;
  readonly #permit: Permit | undefined;
  readonly #subscriptions: Subscription[] = [];
  #dirty: Subscription[] = [];
  #checking = false;
  #closed = false;
  /** Waits in the notifier's queue for this tick's flush. */
  queued = false;

  constructor(host: SubscriberHost, sink: Sink, permit: Permit | undefined) {
    this.#host = host;
    this.#sink = sink;
    this.#permit = permit;
  }

  subscribe(target: Target): Subscription {
    const subscription = this.#host.interest.add(this, target);
    this.#subscriptions.push(subscription);
    return subscription;
  }

  unsubscribe(subscription: Subscription): void {
    if (subscription.index === -1) return;
    const { place } = subscription;
    const last = this.#subscriptions.pop();
    if (last !== undefined && last !== subscription) {
      this.#subscriptions[place] = last;
      last.place = place;
    }
    this.#clean(subscription);
    this.#host.interest.remove(subscription);
  }

  get size(): number {
    return this.#subscriptions.length;
  }

  markDirty(subscription: Subscription): void {
    if (subscription.dirtyIndex !== -1) {
      this.#host.counters.merged += 1;
      return;
    }
    subscription.dirtyIndex = this.#dirty.length;
    this.#dirty.push(subscription);
    if (!this.queued) this.#host.enqueue(this);
  }

  /** The sink became ready: whatever gathered meanwhile goes out. */
  resume(): void {
    if (this.#dirty.length > 0 && !this.queued && !this.#closed) this.#host.enqueue(this);
  }

  flush(): void {
    this.queued = false;
    if (this.#closed || this.#checking || this.#dirty.length === 0 || !this.#sink.ready) return;
    const dirty = this.#takeDirty();
    if (this.#permit === undefined) this.#write(dirty);
    else void this.#writePermitted(dirty, this.#permit);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const subscription of this.#subscriptions) this.#host.interest.remove(subscription);
    this.#subscriptions.length = 0;
    this.#dirty.length = 0;
    this.#host.leave(this);
  }

  #takeDirty(): Subscription[] {
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const subscription of dirty) subscription.dirtyIndex = -1;
    return dirty;
  }

  #clean(subscription: Subscription): void {
    const { dirtyIndex } = subscription;
    if (dirtyIndex === -1) return;
    const last = this.#dirty.pop();
    if (last !== undefined && last !== subscription) {
      this.#dirty[dirtyIndex] = last;
      last.dirtyIndex = dirtyIndex;
    }
    subscription.dirtyIndex = -1;
  }

  #write(dirty: readonly Subscription[]): void {
    let frames = '';
    for (const { watched } of dirty) frames += this.#sink.frame(watched);
    try {
      this.#sink.write(frames);
      this.#host.counters.frames += dirty.length;
    } catch (error) {
      this.#host.sendFailed(error);
      this.close();
      this.#sink.end('failed');
    }
  }

  async #writePermitted(dirty: readonly Subscription[], permit: Permit): Promise<void> {
    this.#checking = true;
    const permitted = await Promise.all(dirty.map(({ watched }) => isPermitted(permit, watched.subject)));
    this.#checking = false;
    if (this.#closed) return;
    if (permitted.includes(false)) {
      // Staying silent about one resource would leave its reader stale: end the stream instead.
      this.close();
      this.#sink.end('revoked');
      return;
    }
    // Whoever unsubscribed while we asked is not told any more.
    const wanted = dirty.filter(({ index }) => index !== -1);
    if (this.#sink.ready) this.#write(wanted);
    else for (const subscription of wanted) this.markDirty(subscription);
    this.resume();
  }
}

async function isPermitted(permit: Permit, subject: Subject): Promise<boolean> {
  try {
    return await permit(subject);
  } catch {
    return false;
  }
}
