// One subscriber's subscription to one watched subject (a resource or a list).
import type { Subscriber } from './subscriber.ts';
import type { Watched } from './watched.ts';

export class Subscription {
  readonly subscriber: Subscriber;
  readonly watched: Watched;
  /** Index in `watched.subscriptions`, so that removal needs no search; -1 after removal. */
  index: number;
  /** Index in the subscriber's subscriptions. */
  ownIndex: number;
  /** Index in the subscriber's dirty set, or -1. */
  dirtyIndex = -1;

  constructor(subscriber: Subscriber, watched: Watched, index: number, ownIndex: number) {
    this.subscriber = subscriber;
    this.watched = watched;
    this.index = index;
    this.ownIndex = ownIndex;
  }
}
