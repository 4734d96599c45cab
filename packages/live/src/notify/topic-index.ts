// Index of what is watched: topic → watched → subscriptions. A change looks up its topics here, so its cost grows with
// the number of its own subscribers, not of all streams.
import type { Want } from '../feed/change.ts';
import type { Subscriber } from './subscriber.ts';
import { Subscription } from './subscription.ts';
import { type Target, Watched } from './watched.ts';

export class TopicIndex {
  readonly #byKey = new Map<string, Watched>();
  // Most topics have one watcher, and a Set for a single entry would be most of an idle stream's memory.
  readonly #byTopic = new Map<string, Watched | Set<Watched>>();
  readonly #want: ((topic: string) => Want) | undefined;
  /** Requests to the feed by topic, if the feed delivers only requested topics. */
  readonly #wants = new Map<string, Want>();

  constructor(want?: (topic: string) => Want) {
    this.#want = want;
  }

  add(subscriber: Subscriber, target: Target): Subscription {
    const { subject, topics } = target;
    // A list and a resource never share a key: the name of a list has no scheme.
    const key = target.key ?? (subject.kind === 'resource' ? subject.uri : subject.list);
    let watched = this.#byKey.get(key);
    if (watched === undefined) {
      watched = new Watched(key, target);
      this.#byKey.set(key, watched);
      for (const topic of topics) this.#watch(topic, watched);
    }
    const subscription = new Subscription(subscriber, watched, watched.subscriptions.length, subscriber.size);
    watched.subscriptions.push(subscription);
    return subscription;
  }

  remove(subscription: Subscription): void {
    const { watched, index } = subscription;
    const { subscriptions } = watched;
    const last = subscriptions.pop();
    if (last !== undefined && last !== subscription) {
      subscriptions[index] = last;
      last.index = index;
    }
    subscription.index = -1;
    if (subscriptions.length === 0) this.#drop(watched);
  }

  /** Changes the topics that each of these depends on. */
  rebind(changes: readonly (readonly [Watched, Target])[]): void {
    for (const [watched, target] of changes) {
      for (const topic of watched.topics) this.#unwatch(topic, watched);
      watched.rebind(target);
      for (const topic of target.topics) this.#watch(topic, watched);
    }
  }

  forEachInterestedIn(topic: string, visit: (watched: Watched) => void): void {
    const watchers = this.#byTopic.get(topic);
    if (watchers instanceof Watched) visit(watchers);
    else watchers?.forEach(visit);
  }

  forEach(visit: (watched: Watched) => void): void {
    this.#byKey.forEach(visit);
  }

  /** How many different URIs and lists are watched. */
  get size(): number {
    return this.#byKey.size;
  }

  #watch(topic: string, watched: Watched): void {
    const watchers = this.#byTopic.get(topic);
    if (watchers === undefined) {
      this.#byTopic.set(topic, watched);
      if (this.#want) this.#wants.set(topic, this.#want(topic));
    } else if (watchers instanceof Watched) this.#byTopic.set(topic, new Set([watchers, watched]));
    else watchers.add(watched);
  }

  #drop(watched: Watched): void {
    this.#byKey.delete(watched.key);
    for (const topic of watched.topics) this.#unwatch(topic, watched);
    watched.end();
  }

  #unwatch(topic: string, watched: Watched): void {
    const watchers = this.#byTopic.get(topic);
    if (watchers instanceof Set) watchers.delete(watched);
    if (watchers !== watched && !(watchers instanceof Set && watchers.size === 0)) return;
    this.#byTopic.delete(topic);
    this.#wants.get(topic)?.end();
    this.#wants.delete(topic);
  }
}
