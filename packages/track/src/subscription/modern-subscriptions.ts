// 2026-07-28: one listen stream for everything, or several where the server limits how much one may hold.
// A stream cannot be changed, so a new one is acknowledged before the old ones are closed; and they are
// listened to for a while longer, since what the server had to tell before the new one may still be coming.
//
// What is asked for again is bounded by what changed: an addition gets a stream of its own, which takes in
// those that are not much larger, and a stream is replaced once enough of it is no longer wanted. So the
// URIs sent for n changes grow with n (times a logarithm), in whichever portions they come.
import { type Client, type McpSubscription, ProtocolError } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';
import { describeError } from '../connection/describe-error.ts';
import { difference } from './difference.ts';
import type { Refusal, Subscriptions } from './subscriptions.ts';

const answerMs = 15_000;
/** A new stream takes in those that have up to so many times its URIs. */
const mergeFactor = 8;
/** A stream is replaced when what is left of it is at most so many times what is no longer wanted. */
const replaceFactor = 16;
/** A server may hold back what it has to tell, and what it has told may be under way. */
const lingerMs = 3000;
/** Where a list changes all the time, the oldest give way. */
const mostLingering = 16;
/** So many refused requests are made to find out what a server does take. */
const maxRefusedRequests = 64;

type Listening = Pick<Client, 'listen'>;

interface Stream {
  isEnded: boolean;
  /** What it tells about and is wanted. */
  uris: Set<string>;
  /** What it tells about and is not wanted any more. */
  unwanted: number;
  subscription: McpSubscription;
}

interface Opened {
  streams: Stream[];
  refusals: Refusal[];
  refusedRequests: number;
  /** Streams whose URIs are in the new ones. */
  replaced: Stream[];
}

export class ModernSubscriptions implements Subscriptions {
  readonly active = new Set<string>();
  readonly #client: Listening;
  readonly #clock: Clock;
  readonly #ended: () => void;
  readonly #streams = new Set<Stream>();
  readonly #streamOf = new Map<string, Stream>();
  /** Replaced, and still listened to. */
  readonly #lingering = new Map<Stream, Timer>();
  readonly #refusals = new Map<string, Refusal>();
  /** A stream with so many URIs was refused. */
  #tooMany = Number.POSITIVE_INFINITY;
  #isClosed = false;

  /** `ended` is called when a stream that is in use has ended: what it told about is active no more. */
  constructor({ client }: { client: Listening }, clock: Clock, ended: () => void) {
    this.#client = client;
    this.#clock = clock;
    this.#ended = ended;
  }

  async apply(wanted: ReadonlySet<string>, changed?: readonly string[]): Promise<Refusal[]> {
    const removed = (changed ?? [...this.#streamOf.keys(), ...this.#refusals.keys()]).filter((uri) => !wanted.has(uri));
    for (const uri of removed) this.#release(uri);
    const added = (changed ?? [...wanted]).filter((uri) => wanted.has(uri) && !this.#isAsked(uri));
    // What was refused may be agreed to once the server has other resources.
    const isRetry = changed === undefined && added.length + removed.length > 0;
    const again = isRetry ? [...this.#refusals.keys()] : [];
    const { streams, refusals, replaced } = await this.#openAll([...added, ...again]);
    for (const uri of again) this.#refusals.delete(uri);
    for (const refusal of refusals) this.#refusals.set(refusal.uri, refusal);
    for (const stream of streams) this.#use(stream);
    for (const stream of replaced) this.#leave(stream);
    if (changed === undefined) return [...this.#refusals.values()];
    // Also those of a stream that was opened again and agreed to less than before.
    const affected = new Set([...changed, ...refusals.map(({ uri }) => uri)]);
    return [...affected].flatMap((uri) => this.#refusals.get(uri) ?? []);
  }

  /** The stream that told of them may go on to do so, until it is replaced. */
  renew(uris: Iterable<string>): void {
    for (const uri of uris) this.#release(uri);
  }

  close(): void {
    this.#isClosed = true;
    for (const { subscription } of this.#streams) void subscription.close();
    this.#streams.clear();
    this.#streamOf.clear();
    for (const stream of this.#lingering.keys()) this.#forget(stream);
    this.active.clear();
  }

  #isAsked(uri: string): boolean {
    return this.#streamOf.has(uri) || this.#refusals.has(uri);
  }

  /** Its stream may go on telling of it, and is not listened to. */
  #release(uri: string): void {
    this.#refusals.delete(uri);
    const stream = this.#streamOf.get(uri);
    if (stream === undefined) return;
    this.#streamOf.delete(uri);
    this.active.delete(uri);
    stream.uris.delete(uri);
    stream.unwanted += 1;
  }

  /** The streams, smallest first, that one with these URIs should take the place of. */
  #replaceable(added: number): Stream[] {
    const isWasteful = ({ uris, unwanted }: Stream) => unwanted > 0 && uris.size <= unwanted * replaceFactor;
    const bySize = [...this.#streams].toSorted((one, other) => one.uris.size - other.uris.size);
    let size = added;
    return bySize.filter((stream) => {
      const isMerged = size > 0 && stream.uris.size <= size * mergeFactor && size + stream.uris.size < this.#tooMany;
      if (!isMerged && !isWasteful(stream)) return false;
      size += stream.uris.size;
      return true;
    });
  }

  #use(stream: Stream): void {
    // One may have ended while the others were being opened.
    if (stream.isEnded) return;
    this.#streams.add(stream);
    for (const uri of stream.uris) {
      const before = this.#streamOf.get(uri);
      if (before?.uris.delete(uri)) before.unwanted += 1;
      this.#streamOf.set(uri, stream);
      this.active.add(uri);
    }
  }

  #leave(stream: Stream): void {
    this.#drop(stream);
    if (stream.isEnded) return;
    this.#lingering.set(
      stream,
      this.#clock.after(lingerMs, () => this.#forget(stream)),
    );
    for (const oldest of this.#lingering.keys()) {
      if (this.#lingering.size <= mostLingering) return;
      this.#forget(oldest);
    }
  }

  /** What no other stream has taken over is active no more. */
  #drop(stream: Stream): void {
    this.#streams.delete(stream);
    for (const uri of stream.uris) {
      this.#streamOf.delete(uri);
      this.active.delete(uri);
    }
  }

  #forget(stream: Stream): void {
    this.#lingering.get(stream)?.cancel();
    this.#lingering.delete(stream);
    void stream.subscription.close();
  }

  /** Opens what is needed for these, and for the streams they are merged with. */
  async #openAll(added: readonly string[]): Promise<Opened> {
    const opened: Opened = { streams: [], refusals: [], refusedRequests: 0, replaced: this.#replaceable(added.length) };
    try {
      while (opened.replaced.length > 0) {
        const uris = [...added, ...opened.replaced.flatMap((stream) => [...stream.uris])];
        const isNeeded = uris.length > 0 || this.#streams.size === opened.replaced.length;
        if (!isNeeded || (await this.#tryOpen(uris, opened)) === undefined) return opened;
        // Too many for one stream, or one stream too many: the largest stays as it is.
        this.#tooMany = uris.length;
        opened.replaced.pop();
      }
      if (added.length > 0 || this.#streams.size === 0) await this.#open(added, opened);
      return opened;
    } catch (error) {
      for (const { subscription } of opened.streams) void subscription.close();
      throw error;
    }
  }

  /** Also without any URI: changes of the lists come on it too. */
  async #open(uris: readonly string[], opened: Opened): Promise<void> {
    const refused = await this.#tryOpen(uris, opened);
    if (refused === undefined) return;
    opened.refusedRequests += 1;
    if (uris.length > 1 && opened.refusedRequests < maxRefusedRequests) {
      // Too many for one stream, or one of them is bad: each half shows.
      const half = Math.ceil(uris.length / 2);
      await this.#open(uris.slice(0, half), opened);
      await this.#open(uris.slice(half), opened);
      return;
    }
    const reason = describeError(refused);
    for (const uri of uris) opened.refusals.push({ uri, reason, isTransient: false });
  }

  /** Resolves with the error by which the server refused, if it did. */
  async #tryOpen(uris: readonly string[], opened: Opened): Promise<unknown> {
    try {
      this.#take(uris, await this.#listen(uris), opened);
      return undefined;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (this.#lingering.size === 0) return error;
      // The server may count its streams: then those that are only heard out are too many.
      for (const stream of this.#lingering.keys()) this.#forget(stream);
      return this.#tryOpen(uris, opened);
    }
  }

  #listen(uris: readonly string[]): Promise<McpSubscription> {
    const lists = { resourcesListChanged: true, toolsListChanged: true, promptsListChanged: true };
    const filter = uris.length > 0 ? { ...lists, resourceSubscriptions: [...uris] } : lists;
    return this.#client.listen(filter, { timeout: answerMs });
  }

  /** What was acknowledged is what counts, not what was asked for. */
  #take(asked: readonly string[], subscription: McpSubscription, opened: Opened): void {
    const { resourceSubscriptions = [], ...lists } = subscription.honoredFilter;
    const honored = new Set(resourceSubscriptions);
    const uris = new Set(asked.filter((uri) => honored.has(uri)));
    for (const uri of difference(asked, honored)) {
      opened.refusals.push({ uri, reason: 'The server left it out of what it agreed to tell.', isTransient: false });
    }
    // A stream that tells nothing is ended by most servers at once.
    if (uris.size === 0 && !Object.values(lists).includes(true)) return void subscription.close();
    const stream = { uris, unwanted: 0, subscription, isEnded: false };
    opened.streams.push(stream);
    void subscription.closed.then((cause) => {
      if (cause !== 'local') this.#end(stream);
    });
  }

  #end(stream: Stream): void {
    stream.isEnded = true;
    if (this.#lingering.has(stream)) return this.#forget(stream);
    if (this.#isClosed) return;
    this.#drop(stream);
    this.#ended();
  }
}

/** An answer that says no; not a connection that is gone. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ProtocolError) return true;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return status === 400 || status === 405 || status === 413 || status === 429;
}
