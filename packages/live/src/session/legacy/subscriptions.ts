// The subscriptions of one 2025-era connection: added and removed one by one, lists always.
import { LiveError } from '../../error.ts';
import type { ListName } from '../../feed/change.ts';
import type { Sink } from '../../notify/sink.ts';
import type { Subscriber } from '../../notify/subscriber.ts';
import type { Subscription } from '../../notify/subscription.ts';
import type { Caller } from '../../resource/caller.ts';
import type { Definition } from '../definition.ts';
import { matchPermitted, permitFor, watchList, watchResource } from '../subscribe.ts';

export class LegacySubscriptions {
  readonly subscriber: Subscriber;
  readonly #definition: Definition;
  readonly #caller: () => Caller;
  readonly #byUri = new Map<string, Subscription>();

  constructor(definition: Definition, caller: () => Caller, sink: Sink) {
    this.#definition = definition;
    this.#caller = caller;
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
    const { urisPerSubscriber } = this.#definition.limits;
    const match = await matchPermitted(this.#definition, this.#caller(), uri);
    if (this.#byUri.has(uri)) return;
    if (this.#byUri.size >= urisPerSubscriber) {
      const message = `One connection may subscribe to ${urisPerSubscriber} resources: unsubscribe from some first.`;
      throw new LiveError('LIMIT_EXCEEDED', message, uri);
    }
    this.#byUri.set(uri, watchResource(this.#definition, this.subscriber, uri, match));
  }

  unsubscribe(uri: string): void {
    const subscription = this.#byUri.get(uri);
    if (subscription === undefined) return;
    this.#byUri.delete(uri);
    this.subscriber.unsubscribe(subscription);
  }
}
