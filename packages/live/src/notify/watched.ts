// A watched subject: a resource under one client's spelling, or a list. It exists while it has subscriptions, and
// owns the coalescing window of its updates.
import type { ListName } from '../feed/change.ts';
import type { Sink } from './sink.ts';
import type { Subscription } from './subscription.ts';

export type Subject =
  | {
      kind: 'resource';
      /** The client's spelling. */
      uri: string;
      canonical: string;
    }
  | { kind: 'list'; list: ListName };

export interface Target {
  subject: Subject;
  /** Subscriptions with the same key share one `Watched`. Default: the URI, or the name of the list. */
  key?: string;
  topics: readonly string[];
  windowMs: number;
  /**
   * Called when this spelling gets its first subscriber; the returned function is called after the last one has left.
   */
  onWatched?: () => () => void;
  /**
   * Awaited before the subscription is confirmed. The function it resolves with is called once the subscription is in
   * force, or has failed.
   */
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
  /** Whether it changed again inside the window, so that its subscribers are notified at the end. */
  trailing = false;
  /** Number of the last change that touched it, so that a change with two of its topics counts once. */
  lastChange = 0;
  /** The function that `onWatched` returned. */
  #endWatch: (() => void) | undefined;

  // The encoding of `#head` (see `Sink.wire`).
  #wire: string | undefined;
  #head = '';

  constructor(key: string, target: Target) {
    this.key = key;
    this.subject = target.subject;
    this.topics = target.topics;
    this.windowMs = target.windowMs;
    this.#endWatch = target.onWatched?.();
  }

  /** Changes what this depends on; its subscriptions stay. */
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
