// One stream's subscriptions and its dirty set. The set holds which of them changed since the stream was last written
// to, not how often: that bounds the memory of a stalled client.
import type { Notifier } from './notifier.ts';
import type { PermissionChecks } from './permission-checks.ts';
import type { Sink } from './sink.ts';
import type { Subscription } from './subscription.ts';
import type { Target } from './watched.ts';

export class Subscriber {
  readonly #notifier: Notifier;
  readonly #sink: Sink;
  readonly #permissions: PermissionChecks | undefined;
  #subscriptions: Subscription[] = [];
  #dirty: Subscription[] = [];
  #closed = false;
  #told = 0;
  /** Whether it is in the notifier's queue for this tick's flush. */
  queued = false;

  constructor(notifier: Notifier, sink: Sink, permissions: PermissionChecks | undefined) {
    this.#notifier = notifier;
    this.#sink = sink;
    this.#permissions = permissions;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get size(): number {
    return this.#subscriptions.length;
  }

  /** The number of notifications written. */
  get told(): number {
    return this.#told;
  }

  /** Up to `most` of the watched URIs, as the client wrote them, and the number of all. */
  urisUpTo(most: number): { uris: string[]; count: number } {
    const uris: string[] = [];
    let count = 0;
    for (const { watched } of this.#subscriptions) {
      if (watched.subject.kind !== 'resource') continue;
      count += 1;
      if (uris.length < most) uris.push(watched.subject.uri);
    }
    return { uris, count };
  }

  subscribe(target: Target): Subscription {
    if (this.#closed) throw new Error('A stream that has ended cannot subscribe to anything.');
    const subscription = this.#notifier.interest.add(this, target);
    // Most streams have one subscription, and an array that grows by `push` allocates seventeen slots.
    if (this.#subscriptions.length === 0) this.#subscriptions = [subscription];
    else this.#subscriptions.push(subscription);
    return subscription;
  }

  unsubscribe(subscription: Subscription): void {
    if (subscription.index === -1 || this.#closed) return;
    const { ownIndex } = subscription;
    const last = this.#subscriptions.pop();
    if (last !== undefined && last !== subscription) {
      this.#subscriptions[ownIndex] = last;
      last.ownIndex = ownIndex;
    }
    this.#clean(subscription);
    this.#notifier.interest.remove(subscription);
  }

  markDirty(subscription: Subscription): void {
    if (this.#closed) return;
    if (subscription.dirtyIndex !== -1) {
      this.#notifier.counters.merged += 1;
      return;
    }
    subscription.dirtyIndex = this.#dirty.length;
    this.#dirty.push(subscription);
    if (!this.queued) this.#notifier.enqueue(this);
  }

  /** Marks all subscriptions as dirty, because earlier notifications may not have arrived. */
  assumeChanged(): void {
    for (const subscription of this.#subscriptions) if (subscription.dirtyIndex === -1) this.markDirty(subscription);
  }

  /** Called when the sink becomes ready: sends the dirty set. */
  resume(): void {
    if (this.#dirty.length > 0 && !this.queued && !this.#closed) this.#notifier.enqueue(this);
  }

  flush(): void {
    this.queued = false;
    if (this.#closed || this.#dirty.length === 0 || !this.#sink.ready) return;
    const dirty = this.#takeDirty();
    if (this.#permissions === undefined) this.#write(dirty);
    else this.#writePermitted(dirty, this.#permissions);
  }

  /** Flushes, including what still waits for permission checks. */
  async flushAll(): Promise<void> {
    this.flush();
    await this.#permissions?.idle();
    this.flush();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#dirty.length = 0;
    this.#notifier.leave(this);
    this.#removeAll();
  }

  /** In slices: a closed stream sends nothing, so subscriptions that remain for a moment do no harm. */
  #removeAll(): void {
    const slice = this.#notifier.slice();
    for (let last = this.#subscriptions.pop(); last !== undefined; last = this.#subscriptions.pop()) {
      this.#notifier.interest.remove(last);
      if (slice.isOver) return this.#notifier.defer(() => this.#removeAll());
    }
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
    for (const { watched } of dirty) frames += watched.frameFor(this.#sink);
    try {
      this.#sink.write(frames);
      this.#notifier.counters.frames += dirty.length;
      this.#told += dirty.length;
    } catch (error) {
      this.#notifier.sendFailed(error, 'A notification could not be sent; its stream is closed.');
      this.close();
      this.#sink.end('failed');
    }
  }

  #writePermitted(dirty: readonly Subscription[], permissions: PermissionChecks): void {
    const permitted: Subscription[] = [];
    for (const subscription of dirty) {
      const verdict = permissions.ask(subscription.watched.subject, () => this.#askAgain(subscription));
      if (verdict === 'granted') permitted.push(subscription);
      if (verdict === 'refused') {
        // Omitting one resource would leave its reader stale without a sign, so the stream ends instead.
        this.close();
        this.#sink.end('revoked');
        return;
      }
    }
    if (permitted.length > 0) this.#write(permitted);
  }

  /** A permission check has finished, or must be made again. */
  #askAgain(subscription: Subscription): void {
    if (subscription.index !== -1) this.markDirty(subscription);
  }
}
