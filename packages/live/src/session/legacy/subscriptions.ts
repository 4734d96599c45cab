// The subscriptions of one 2025-era connection: added and removed one by one, lists always.
import { LiveError } from '../../error.ts';
import type { ListName } from '../../feed/change.ts';
import type { Sink } from '../../notify/sink.ts';
import type { Subscriber } from '../../notify/subscriber.ts';
import type { Subscription } from '../../notify/subscription.ts';
import type { Caller } from '../../resource/caller.ts';
import type { Definition } from '../../definition/definition.ts';
import type { Hold } from '../../quota/quotas.ts';
import { permitFor, permittedTarget, watchList } from '../subscribe.ts';

export class LegacySubscriptions {
  readonly subscriber: Subscriber;
  readonly #definition: Definition;
  readonly #caller: () => Caller;
  readonly #held: Hold;
  /** By URI; undefined while permission is being asked for. */
  readonly #byUri = new Map<string, Subscription | undefined>();

  constructor(definition: Definition, caller: () => Caller, sink: Sink) {
    this.#definition = definition;
    this.#caller = caller;
    this.#held = definition.quotas.hold(caller(), 'watchedUris', 0);
    this.subscriber = definition.notifier.attach(sink, permitFor(definition, caller));
    const { resources, tools, prompts } = definition.capabilities;
    const lists: [ListName, boolean | undefined][] = [
      ['resources', resources?.listChanged],
      ['tools', tools?.listChanged],
      ['prompts', prompts?.listChanged],
    ];
    for (const [list, isLive] of lists) if (isLive) watchList(definition, this.subscriber, list);
  }

  async subscribe(uri: string): Promise<void> {
    if (this.#byUri.has(uri)) return;
    this.#assertRoom(uri);
    this.#held.add(1);
    this.#byUri.set(uri, undefined);
    let release: (() => void) | void = undefined;
    try {
      const target = await permittedTarget(this.#definition, this.#caller(), uri);
      release = await target.ready?.();
      // Unsubscribed, or gone, before we had the answer.
      if (!this.#byUri.has(uri) || this.subscriber.isClosed) return;
      this.#byUri.set(uri, this.subscriber.subscribe(target));
    } catch (error) {
      this.#forget(uri);
      throw error;
    } finally {
      release?.();
    }
  }

  unsubscribe(uri: string): void {
    const subscription = this.#byUri.get(uri);
    this.#forget(uri);
    if (subscription) this.subscriber.unsubscribe(subscription);
  }

  close(): void {
    this.subscriber.close();
    this.#held.release();
  }

  #forget(uri: string): void {
    if (this.#byUri.delete(uri)) this.#held.remove(1);
  }

  #assertRoom(uri: string): void {
    const { urisPerSubscriber } = this.#definition.limits;
    if (this.#byUri.size < urisPerSubscriber) return;
    const message = `One connection may subscribe to ${urisPerSubscriber} resources: unsubscribe from some first.`;
    throw new LiveError('LIMIT_EXCEEDED', message, uri);
  }
}
