// 2026-07-28: one listen stream for all URIs, or several if the server limits their size. A stream cannot be
// changed, so a new one is acknowledged before the old ones are closed; and those are read for a while longer,
// since notifications sent before the new stream opened may still arrive on them.
//
// This file makes the requests; `listen-stream-set.ts` has the streams and decides which of them to replace.
import { type Client, type McpSubscription, ProtocolError, SdkError } from '@modelcontextprotocol/client';
import { endsWhile } from '@tidings/live/time';
import { describeError } from '../connection/error/describe-error.ts';
import { isTimeout } from '../connection/error/is-timeout.ts';
import { onlyInFirst } from './only-in-first.ts';
import { type OpenListenStream, ListenStreamSet } from './listen-stream-set.ts';
import { Retries } from './retries.ts';
import {
  type MissingSubscription,
  type SubscriptionDeps,
  type Subscriptions,
  notYet,
  patienceMs,
} from './subscriptions.ts';

/** At most this many refused requests are made to find out what a server accepts. */
const maxRefusedRequests = 64;

type ListenClient = Pick<Client, 'listen'>;

interface ListenStreamEvents {
  /** A stream in use has ended: its URIs are not active any more. */
  ended(this: void): void;
  /** A replaced stream was cut off: what it had sent of these URIs before the new one was open may be lost. */
  lost(this: void, uris: Iterable<string>): void;
}

interface OpenedStreams {
  streams: OpenListenStream[];
  refusals: MissingSubscription[];
  refusedRequests: number;
  /** Streams whose URIs are in the new ones. */
  replaced: OpenListenStream[];
}

export class ListenStreams implements Subscriptions {
  readonly #client: ListenClient;
  readonly #deps: SubscriptionDeps;
  readonly #events: ListenStreamEvents;
  readonly #streams: ListenStreamSet;
  readonly #retries: Retries;
  /** The requests in progress, and their URIs. */
  #opening: Promise<unknown> | undefined;
  #pending: ReadonlySet<string> = new Set();
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** A stream with this many URIs was refused. */
  #tooMany = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor({ client }: { client: ListenClient }, deps: SubscriptionDeps, events: ListenStreamEvents) {
    this.#client = client;
    this.#deps = deps;
    this.#events = events;
    this.#streams = new ListenStreamSet(deps.clock);
    this.#retries = new Retries(deps.clock, deps.random);
  }

  get active(): ReadonlySet<string> {
    return this.#streams.active;
  }

  get retryMs(): number | undefined {
    return this.#retries.dueMs;
  }

  awaits(uri: string): boolean {
    if (this.active.has(uri)) return false;
    // While a request is in progress, other URIs wait for their turn.
    return this.#opening !== undefined || this.#retries.all.get(uri)?.isTransient === true;
  }

  get notifiesLists(): boolean {
    return this.#streams.size > 0;
  }

  get missing() {
    const { refused, unanswered } = this.#retries.counts;
    return { refused, unanswered: unanswered + this.#pending.size };
  }

  async apply(wanted: ReadonlySet<string>, changed?: readonly string[]): Promise<MissingSubscription[]> {
    // Waits for the request in progress, which decides which streams there are.
    if (this.#opening !== undefined && !(await this.#finishesSoon(this.#opening))) return this.#refusals(changed);
    const removed = (changed ?? [...this.active, ...this.#retries.all.keys()]).filter((uri) => !wanted.has(uri));
    for (const uri of removed) this.#release(uri);
    const due = this.#retries.takeDue();
    const added = [...new Set([...(changed ?? wanted), ...due])].filter(
      (uri) => wanted.has(uri) && !this.active.has(uri) && !this.#retries.all.has(uri),
    );
    const opening = this.#openAndUse(added);
    this.#opening = opening.catch(() => undefined);
    if (!(await this.#finishesSoon(opening))) {
      this.#finishLater(opening, added);
      return this.#refusals(changed);
    }
    // Includes refusals of a stream that was opened again with fewer URIs than before.
    return this.#refusals(changed && [...changed, ...(await opening)]);
  }

  /** Releases the URIs. Their stream may still notify of changes until it is replaced. */
  renew(uris: Iterable<string>): void {
    for (const uri of uris) this.#release(uri);
  }

  close(): void {
    this.#isClosed = true;
    this.#streams.close();
  }

  #finishesSoon(work: Promise<unknown>): Promise<boolean> {
    const { clock } = this.#deps;
    const began = clock.now();
    return endsWhile(clock, () => Math.max(began, this.#answeredAt) + patienceMs - clock.now(), work);
  }

  #refusals(changed: readonly string[] | undefined): MissingSubscription[] {
    const concerned = new Set(changed ?? [...this.#retries.all.keys(), ...this.#pending]);
    return [...concerned].flatMap((uri) => this.#retries.all.get(uri) ?? (this.#pending.has(uri) ? notYet(uri) : []));
  }

  /** Resolves with the refused URIs. */
  async #openAndUse(added: readonly string[]): Promise<string[]> {
    this.#pending = new Set(added);
    try {
      const { streams, refusals, replaced } = await this.#openAll(added);
      for (const refusal of refusals) this.#retries.add(refusal);
      for (const stream of streams) this.#streams.use(stream);
      for (const stream of replaced) this.#streams.replace(stream);
      this.#retries.schedule(this.#streams.size === 0 && refusals.length === 0 && added.length === 0);
      return refusals.map(({ uri }) => uri);
    } finally {
      this.#pending = new Set();
      this.#opening = undefined;
    }
  }

  /** The caller does not wait any longer; until the answer comes, the resources are polled. */
  #finishLater(opening: Promise<unknown>, added: readonly string[]): void {
    opening
      .catch((error: unknown) => {
        for (const uri of added) this.#retries.add({ uri, reason: describeError(error), isTransient: true });
        this.#retries.schedule(true);
      })
      .finally(() => this.#isClosed || this.#deps.changed())
      .catch(() => undefined);
  }

  /** The stream of the URI may still send notifications of it, which are ignored. */
  #release(uri: string): void {
    this.#retries.delete(uri);
    this.#streams.release(uri);
  }

  /** Opens what these URIs need, together with the streams they are merged with. */
  async #openAll(added: readonly string[]): Promise<OpenedStreams> {
    const opened: OpenedStreams = {
      streams: [],
      refusals: [],
      refusedRequests: 0,
      replaced: this.#streams.replaceable(added.length, this.#tooMany),
    };
    try {
      while (opened.replaced.length > 0) {
        const uris = [...added, ...opened.replaced.flatMap((stream) => [...stream.uris])];
        const isNeeded = uris.length > 0 || this.#streams.size === opened.replaced.length;
        const refused = isNeeded ? await this.#tryOpen(uris, opened) : undefined;
        if (refused === undefined) return opened;
        if (isForNow(refused)) return postponed(opened, added, refused);
        // Too many URIs for one stream, or one stream too many: the largest stays as it is.
        this.#tooMany = uris.length;
        opened.replaced.pop();
      }
      // While the server refuses everything, it is asked again only when a retry is due.
      const isStreamDue = this.#streams.size === 0 && this.#retries.dueMs === undefined;
      if (added.length > 0 || isStreamDue) await this.#open(added, opened);
      return opened;
    } catch (error) {
      for (const { subscription } of opened.streams) void subscription.close();
      throw error;
    }
  }

  /** Opens a stream even without any URI, because `list_changed` arrives on it, too. */
  async #open(uris: readonly string[], opened: OpenedStreams): Promise<void> {
    const refused = await this.#tryOpen(uris, opened);
    if (refused === undefined) return;
    const isTransient = isForNow(refused);
    opened.refusedRequests += 1;
    if (!isTransient && uris.length > 1 && opened.refusedRequests < maxRefusedRequests) {
      // Too many URIs for one stream, or one of them is refused: trying each half shows which.
      const half = Math.ceil(uris.length / 2);
      await this.#open(uris.slice(0, half), opened);
      await this.#open(uris.slice(half), opened);
      return;
    }
    const reason = describeError(refused);
    for (const uri of uris) opened.refusals.push({ uri, reason, isTransient });
  }

  /** Resolves with the error if the server refused. */
  async #tryOpen(uris: readonly string[], opened: OpenedStreams): Promise<unknown> {
    try {
      this.#take(uris, await this.#listen(uris), opened);
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The server may limit the number of streams: the replaced ones are closed first.
      return this.#streams.closeReplaced() ? this.#tryOpen(uris, opened) : error;
    } finally {
      this.#answeredAt = this.#deps.clock.now();
    }
  }

  #listen(uris: readonly string[]): Promise<McpSubscription> {
    const lists = { resourcesListChanged: true, toolsListChanged: true, promptsListChanged: true };
    const filter = uris.length > 0 ? { ...lists, resourceSubscriptions: [...uris] } : lists;
    return this.#client.listen(filter, { timeout: this.#deps.answerMs });
  }

  /** Uses the acknowledged URIs, which may be fewer than the requested ones. */
  #take(requestedUris: readonly string[], subscription: McpSubscription, opened: OpenedStreams): void {
    const { resourceSubscriptions = [], ...lists } = subscription.honoredFilter;
    const honored = new Set(resourceSubscriptions);
    const uris = new Set(requestedUris.filter((uri) => honored.has(uri)));
    for (const uri of onlyInFirst(requestedUris, honored)) {
      opened.refusals.push({ uri, reason: 'The server left it out of what it agreed to tell.', isTransient: false });
    }
    // Most servers end a stream without any subscription at once.
    if (uris.size === 0 && !Object.values(lists).includes(true)) return void subscription.close();
    if (this.#isClosed) return void subscription.close();
    const stream: OpenListenStream = { uris, handedOver: new Set(), unwanted: 0, subscription, isEnded: false };
    opened.streams.push(stream);
    void subscription.closed.then((cause) => {
      if (cause === 'local') return;
      const wasInUse = this.#streams.end(stream);
      if (this.#isClosed) return;
      if (wasInUse) this.#events.ended();
      else if (cause === 'remote') this.#events.lost(stream.handedOver);
    });
  }
}

/** The URIs are requested again later; the streams stay as they are. */
function postponed(opened: OpenedStreams, added: readonly string[], refused: unknown): OpenedStreams {
  const reason = describeError(refused);
  return { ...opened, replaced: [], refusals: added.map((uri) => ({ uri, reason, isTransient: true })) };
}

/** A refusal, or no answer in time; not a lost connection. A server without `subscriptions/listen` answers with a 404. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ProtocolError || isForNow(error)) return true;
  return [400, 404, 405, 413].includes(statusOf(error)) || isAnsweredAtOnce(error);
}

/** Some servers answer any request with a result. The SDK has no code of its own for that, only these words. */
function isAnsweredAtOnce(error: unknown): boolean {
  return error instanceof SdkError && /gracefully before acknowledging/.test(error.message);
}

/** The same request may succeed later: there was no answer, or the server is overloaded. */
function isForNow(error: unknown): boolean {
  if (isTimeout(error)) return true;
  return [429, 502, 503, 504].includes(statusOf(error));
}

function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 0;
}
