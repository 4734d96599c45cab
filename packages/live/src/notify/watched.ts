// A watched subject: a resource under one client's spelling, or a list. It exists while it has subscriptions, and
// owns the coalescing window of its updates.
import type { ListName } from '../feed/change.ts';
import type { Sink } from './sink.ts';
import type { Subscription } from './subscription.ts';

export type Subject =
  | {
      kind: 'resource';
      /** Exactly as the client wrote it. */
      uri: string;
      canonical: string;
    }
  | { kind: 'list'; list: ListName };

export interface Target {
  subject: Subject;
  /** What is watched as one thing. Default: the URI, or the name of the list. */
  key?: string;
  topics: readonly string[];
  windowMs: number;
  /** Called when this spelling gets its first subscriber; what it returns, when the last one has left. */
  onWatched?: () => () => void;
  /** Waited for before the subscription is confirmed; what it resolves with is called when that holds, or never will. */
  ready?: () => Promise<(() => void) | void>;
}

export class Watched {
  readonly key: string;
  readonly subscriptions: Subscription[] = [];
  subject: Subject;
  topics: readonly string[];
  windowMs: number;

  /** True from an update until its window ends. */
  inWindow = false;
  /** Changed again inside the window: notified at its end. */
  trailing = false;
  /** The last change that touched it, so that one change with two of its topics counts once. */
  lastChange = 0;
  /** Ends what `onWatched` began. */
  #endWatch: (() => void) | undefined;

  // The part of a notification that all streams on one wire share.
  #wire: string | undefined;
  #head = '';

  constructor(key: string, target: Target) {
    this.key = key;
    this.subject = target.subject;
    this.topics = target.topics;
    this.windowMs = target.windowMs;
    this.#endWatch = target.onWatched?.();
  }

  /** Stays subscribed to, and depends on other topics from now on. */
  rebind({ subject, topics, windowMs, onWatched }: Target): void {
    this.subject = subject;
    this.topics = topics;
    this.windowMs = windowMs;
    this.end();
    this.#endWatch = onWatched?.();
  }

  end(): void {
    this.#endWatch?.();
    this.#endWatch = undefined;
  }

  frameFor(sink: Sink): string {
    if (sink.wire !== this.#wire) {
      this.#head = sink.encode(this);
      this.#wire = sink.wire;
    }
    return this.#head + sink.tail;
  }
}
