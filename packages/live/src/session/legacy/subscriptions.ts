// The subscriptions of one 2025-era connection: URIs are added and removed one by one; lists are always subscribed to.
import { LiveError } from '../../base/error.ts';
import type { ListName } from '../../feed/change.ts';
import type { Sink } from '../../notify/sink.ts';
import type { Subscriber } from '../../notify/subscriber.ts';
import type { Subscription } from '../../notify/subscription.ts';
import type { Caller } from '../../resource/caller.ts';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import { WatchedHold } from '../../quota/watched-hold.ts';
import { permitFor, permittedTarget, watchList } from '../subscribe.ts';

interface LegacySubscription {
  /** Undefined until the subscription is in force. */
  subscription: Subscription | undefined;
  /** Rejects if the subscription is refused. */
  inForce: Promise<void>;
}

export class LegacySubscriptions {
  readonly subscriber: Subscriber;
  readonly #definition: ServerDefinition;
  readonly #caller: () => Caller;
  readonly #held: WatchedHold;
  readonly #byUri = new Map<string, LegacySubscription>();
  /** For a session over HTTP. */
  readonly #sessionId: string | undefined;

  constructor(definition: ServerDefinition, caller: () => Caller, sink: Sink, sessionId?: string) {
    this.#definition = definition;
    this.#sessionId = sessionId;
    this.#caller = caller;
    this.#held = new WatchedHold(definition.quotas, caller());
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
    const entry = this.#byUri.get(uri) ?? this.#add(uri);
    // A repeated request is answered only after the first.
    await entry.inForce;
  }

  unsubscribe(uri: string): void {
    const subscription = this.#byUri.get(uri)?.subscription;
    this.#forget(uri);
    if (subscription) this.subscriber.unsubscribe(subscription);
  }

  close(): void {
    this.subscriber.close();
    this.#held.release();
  }

  #add(uri: string): LegacySubscription {
    this.#assertRoom(uri);
    this.#held.add([uri]);
    const entry: LegacySubscription = { subscription: undefined, inForce: Promise.resolve() };
    this.#byUri.set(uri, entry);
    entry.inForce = this.#begin(uri, entry);
    return entry;
  }

  async #begin(uri: string, entry: LegacySubscription): Promise<void> {
    // The client may meanwhile have unsubscribed and subscribed again.
    const isCurrent = () => this.#byUri.get(uri) === entry;
    let release: (() => void) | void = undefined;
    try {
      const target = await permittedTarget(this.#definition, this.#caller(), uri);
      release = await target.ready?.();
      if (!isCurrent() || this.subscriber.isClosed) return;
      entry.subscription = this.subscriber.subscribe(target);
      const { directory } = this.#definition;
      directory.subscribed?.(this.#caller(), [uri], { client: undefined, sessionId: this.#sessionId });
    } catch (error) {
      if (isCurrent()) this.#forget(uri);
      throw error;
    } finally {
      release?.();
    }
  }

  #forget(uri: string): void {
    if (this.#byUri.delete(uri)) this.#held.remove(uri);
  }

  #assertRoom(uri: string): void {
    const { urisPerSubscriber } = this.#definition.limits;
    if (this.#byUri.size < urisPerSubscriber) return;
    const message = `One connection may subscribe to ${urisPerSubscriber} resources: unsubscribe from some first.`;
    throw new LiveError('LIMIT_EXCEEDED', message, uri);
  }
}
