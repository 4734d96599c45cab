// One subscriber's interest in one watched thing.
import type { Subscriber } from './subscriber.ts';
import type { Watched } from './watched.ts';

export class Subscription {
  readonly subscriber: Subscriber;
  readonly watched: Watched;
  /** Place in `watched.subscriptions`, so that leaving does not search; -1 once it has left. */
  index: number;
  /** Place among the subscriber's subscriptions. */
  ownIndex: number;
  /** Place in the subscriber's dirty set, or -1. */
  dirtyIndex = -1;

  constructor(subscriber: Subscriber, watched: Watched, index: number, ownIndex: number) {
    this.subscriber = subscriber;
    this.watched = watched;
    this.index = index;
    this.ownIndex = ownIndex;
  }
}
