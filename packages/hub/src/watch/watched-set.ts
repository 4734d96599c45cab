// The watched resources of one server and the content of each at its last read. The tracker says when to read again;
// the difference between two reads is reported.
import { ProtocolError } from '@modelcontextprotocol/client';
import { type Clock, LiveError } from '@tidings/live';
import { forEachLimited } from '@tidings/live/time';
import type { Upstream } from '@tidings/track';
import { reasonOf } from '../look/request-failure.ts';
import { difference } from './difference.ts';
import type { Untimed } from './event.ts';
import type { Patterns } from './pattern.ts';
import { type WatchedContent, watchedContent } from './watched-content.ts';

export interface WatchedSetDeps {
  upstream: Pick<Upstream, 'catalog' | 'watch' | 'coverage' | 'read'>;
  patterns: Patterns;
  clock: Clock;
  /** `at`: when it was announced; otherwise now. */
  report(this: void, event: Untimed, at?: number): void;
  /** A watched resource may have changed. */
  updated(this: void, uri: string): void;
}

interface WatchedResource {
  /** Ends the watch. */
  end: () => void;
  /** Undefined until the first read is answered. */
  snapshot?: WatchedContent;
  /** Milliseconds since the epoch; updates announced until then are in the snapshot. */
  readAt: number;
  /** A change during an outage was reported; the tracker announces the same change once more. */
  wasReported: boolean;
  /** Reads in a row that got no answer. */
  unanswered: number;
}

const readsAtOnce = 16;
const retryMs = 1000;

export class WatchedSet {
  readonly #deps: WatchedSetDeps;
  readonly #watched = new Map<string, WatchedResource>();
  #listed: ReadonlySet<string> | undefined;

  constructor(deps: WatchedSetDeps) {
    this.#deps = deps;
  }

  /** The URIs whose changes will be reported. Missing resources that can only be polled are left out. */
  get uris(): string[] {
    const { upstream } = this.#deps;
    const isUnwatchable = (uri: string, { snapshot }: WatchedResource) =>
      snapshot?.kind === 'missing' && upstream.coverage(uri) === 'polled';
    return [...this.#watched].flatMap(([uri, watched]) => (isUnwatchable(uri, watched) ? [] : [uri]));
  }

  /**
   * Watches exactly the listed resources that match the patterns. Returns those that were added and removed since the
   * last call.
   */
  async follow(): Promise<{ added: string[]; removed: string[] }> {
    const { upstream, patterns, report } = this.#deps;
    const listed = new Set(upstream.catalog.resources.keys());
    const previous = this.#listed ?? listed;
    this.#listed = listed;
    const wanted = new Set(patterns.wanted(listed));
    for (const [uri, { end }] of this.#watched) {
      if (wanted.has(uri)) continue;
      this.#watched.delete(uri);
      end();
    }
    const fresh = [...wanted].filter((uri) => !this.#watched.has(uri));
    await Promise.all(fresh.map((uri) => this.#watch(uri)));
    for (const uri of fresh) {
      if (upstream.coverage(uri) !== 'polled') continue;
      const reason = 'the server does not announce its changes, so it is polled';
      report({ type: 'problem', uri, problem: 'not_announced', reason });
    }
    const matches = (uri: string) => patterns.matches(uri);
    return {
      added: [...listed].filter((uri) => !previous.has(uri) && matches(uri)),
      removed: [...previous].filter((uri) => !listed.has(uri) && matches(uri)),
    };
  }

  /** Reads unread resources, as the base of later comparisons. */
  async readNew(): Promise<void> {
    const unread = [...this.#watched].flatMap(([uri, { snapshot }]) => (snapshot === undefined ? [uri] : []));
    await this.#forEach(unread, (uri, watched) => this.#readFirst(uri, watched));
  }

  /** Reads the announced resources, with the time of each announcement. */
  async readUpdated(updated: ReadonlyMap<string, number>): Promise<void> {
    await this.#forEach(updated.keys(), async (uri, watched) => {
      const announcedAt = updated.get(uri) ?? 0;
      const { snapshot: before, readAt } = watched;
      // A resource that left the list is reported as a change of the list.
      if (!this.#isWanted(uri)) return;
      if (before === undefined) return this.#readFirst(uri, watched);
      const after = await this.#read(uri, watched);
      if (after === undefined) return;
      const change = difference(before, after);
      if (change.kind === 'none') {
        const isKnown = announcedAt <= readAt || watched.wasReported;
        watched.wasReported = false;
        // The last read found that change already.
        if (isKnown) return;
      }
      this.#deps.report({ type: 'updated', uri, change }, announcedAt);
    });
  }

  /** Reads everything again after an outage, and reports what differs. */
  async compareAll(): Promise<void> {
    await this.#forEach([...this.#watched.keys()], async (uri, watched) => {
      const { snapshot: before } = watched;
      if (before === undefined) return;
      const after = await this.#read(uri, watched);
      if (after === undefined) return;
      const change = difference(before, after);
      if (change.kind === 'none') return;
      watched.wasReported = true;
      this.#deps.report({ type: 'updated', uri, change, whileAway: true });
    });
  }

  async #watch(uri: string): Promise<void> {
    const { upstream, updated } = this.#deps;
    const { ready, end } = upstream.watch(uri, () => updated(uri));
    this.#watched.set(uri, { end, readAt: 0, wasReported: false, unanswered: 0 });
    await ready;
  }

  #isWanted(uri: string): boolean {
    const { upstream, patterns } = this.#deps;
    return patterns.exact.includes(uri) || upstream.catalog.resources.has(uri);
  }

  #forEach(uris: Iterable<string>, work: (uri: string, watched: WatchedResource) => Promise<void>): Promise<void> {
    return forEachLimited(uris, readsAtOnce, this.#deps.clock, async (uri) => {
      const watched = this.#watched.get(uri);
      if (watched) await work(uri, watched);
    });
  }

  async #readFirst(uri: string, watched: WatchedResource): Promise<void> {
    const snapshot = await this.#read(uri, watched);
    if (snapshot?.kind !== 'missing') return;
    this.#deps.report({ type: 'problem', uri, problem: 'unreadable', reason: snapshot.reason });
  }

  /** Undefined if the server did not answer: then the known content stays, and the resource is read again soon. */
  async #read(uri: string, watched: WatchedResource): Promise<WatchedContent | undefined> {
    const { upstream, clock } = this.#deps;
    try {
      watched.snapshot = watchedContent(await upstream.read(uri));
    } catch (error) {
      if (isUnanswered(error)) return this.#readLater(uri, watched, error);
      watched.snapshot = { kind: 'missing', reason: reasonOf(error) };
    }
    watched.readAt = clock.date();
    watched.unanswered = 0;
    return watched.snapshot;
  }

  #readLater(uri: string, watched: WatchedResource, error: unknown): undefined {
    const { clock, report, updated } = this.#deps;
    clock.after(retryMs, () => updated(uri));
    watched.unanswered += 1;
    // The first read may have been lost with the connection, whose loss is reported separately.
    if (watched.unanswered === 2) report({ type: 'problem', uri, problem: 'unreadable', reason: reasonOf(error) });
  }
}

/** Whether the connection failed, which is not a failure of the resource. */
function isUnanswered(error: unknown): boolean {
  return error instanceof LiveError && error.code === 'UNAVAILABLE' && !(error.cause instanceof ProtocolError);
}
