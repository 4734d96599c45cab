// Something somebody watches: a resource under one client spelling, or a list. It exists while it has
// subscriptions, and owns the coalescing window of its updates.
import type { ListName } from '../feed/change.ts';
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
  topics: readonly string[];
  windowMs: number;
  /** Called when the first one begins to watch; what it returns, when the last one has left. */
  onWatched?: () => (() => void) | void;
}

export class Watched {
  readonly key: string;
  readonly subject: Subject;
  readonly topics: readonly string[];
  readonly windowMs: number;
  readonly subscriptions: Subscription[] = [];

  /** True from an update until its window ends. */
  inWindow = false;
  /** Changed again inside the window: told at its end. */
  trailing = false;
  /** The last change that touched it, so that one change with two of its topics counts once. */
  lastChange = 0;

  // The text of a notification depends on the wire and on the stream it is for. Streams that share both
  // (most clients count their streams alike) share the text; all share the serialised URI.
  #frameKey = '';
  #frame = '';
  #uriJson: string | undefined;

  constructor(key: string, { subject, topics, windowMs }: Target) {
    this.key = key;
    this.subject = subject;
    this.topics = topics;
    this.windowMs = windowMs;
  }

  frame(key: string, build: (watched: Watched) => string): string {
    if (key !== this.#frameKey) {
      this.#frame = build(this);
      this.#frameKey = key;
    }
    return this.#frame;
  }

  uriJson(encode: (uri: string) => string): string {
    return (this.#uriJson ??= encode(this.subject.kind === 'resource' ? this.subject.uri : ''));
  }
}
