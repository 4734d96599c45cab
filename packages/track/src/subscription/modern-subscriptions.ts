// 2026-07-28: one listen stream for everything, or several where the server limits how much one may hold.
// A stream cannot be changed, so a new one is acknowledged before the old ones are closed; and they are
// listened to for a while longer, since what the server had to tell before the new one may still be coming.
import { type Client, type McpSubscription, ProtocolError } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';
import { describeError } from '../connection/describe-error.ts';
import { difference } from './difference.ts';
import type { Refusal, Subscriptions } from './subscriptions.ts';

const answerMs = 15_000;
/** What is added gets a stream of its own, until there are so many that one for all is better. */
const manyStreams = 4;
/** A server may hold back what it has to tell, and what it has told may be under way. */
const lingerMs = 3000;
/** Where a list changes all the time, the oldest give way. */
const mostLingering = 16;
/** So many refused requests are made to find out what a server does take. */
const maxRefusedRequests = 64;

type Listening = Pick<Client, 'listen'>;

interface Stream {
  isEnded: boolean;
  uris: readonly string[];
  subscription: McpSubscription;
}

interface Opened {
  streams: Stream[];
  refusals: Refusal[];
  refusedRequests: number;
}

export class ModernSubscriptions implements Subscriptions {
  readonly active = new Set<string>();
  readonly #client: Listening;
  readonly #clock: Clock;
  readonly #ended: () => void;
  #streams: Stream[] = [];
  /** Replaced, and still listened to. */
  readonly #lingering = new Map<Stream, Timer>();
  #refusals: Refusal[] = [];
  #isClosed = false;

  /** `ended` is called when a stream that is in use has ended: what it told about is active no more. */
  constructor({ client }: { client: Listening }, clock: Clock, ended: () => void) {
    this.#client = client;
    this.#clock = clock;
    this.#ended = ended;
  }

  async apply(wanted: ReadonlySet<string>): Promise<Refusal[]> {
    const asked = new Set([...this.#streams.flatMap(({ uris }) => uris), ...this.#refusals.map(({ uri }) => uri)]);
    const [added, removed] = [difference(wanted, asked), difference(asked, wanted)];
    const isFirst = this.#streams.length === 0;
    if (added.length === 0 && removed.length === 0 && !isFirst) return this.#refusals;
    const extendsOld = removed.length === 0 && !isFirst && this.#streams.length < manyStreams;
    const { streams, refusals } = await this.#openAll(extendsOld ? added : [...wanted]);
    const replaced = extendsOld ? [] : this.#streams;
    // One may have ended while the others were being opened.
    this.#streams = [...this.#streams, ...streams].filter((each) => !each.isEnded && !replaced.includes(each));
    this.#refusals = extendsOld ? [...this.#refusals, ...refusals] : refusals;
    this.#recount();
    for (const stream of replaced) this.#leave(stream);
    return this.#refusals;
  }

  close(): void {
    this.#isClosed = true;
    for (const { subscription } of this.#streams.splice(0)) void subscription.close();
    for (const stream of this.#lingering.keys()) this.#forget(stream);
    this.active.clear();
  }

  #leave(stream: Stream): void {
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

  #forget(stream: Stream): void {
    this.#lingering.get(stream)?.cancel();
    this.#lingering.delete(stream);
    void stream.subscription.close();
  }

  async #openAll(uris: readonly string[]): Promise<Opened> {
    const opened: Opened = { streams: [], refusals: [], refusedRequests: 0 };
    try {
      await this.#open(uris, opened);
      return opened;
    } catch (error) {
      for (const { subscription } of opened.streams) void subscription.close();
      throw error;
    }
  }

  /** Also without any URI: changes of the lists come on it too. */
  async #open(uris: readonly string[], opened: Opened): Promise<void> {
    try {
      this.#take(uris, await this.#listen(uris), opened);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (this.#lingering.size > 0) {
        // The server may count its streams: then those that are only heard out are too many.
        for (const stream of this.#lingering.keys()) this.#forget(stream);
        return this.#open(uris, opened);
      }
      opened.refusedRequests += 1;
      if (uris.length > 1 && opened.refusedRequests < maxRefusedRequests) {
        // Too many for one stream, or one of them is bad: each half shows.
        const half = Math.ceil(uris.length / 2);
        await this.#open(uris.slice(0, half), opened);
        await this.#open(uris.slice(half), opened);
      } else {
        opened.refusals.push(...uris.map((uri) => ({ uri, reason: describeError(error), isTransient: false })));
      }
    }
  }

  #listen(uris: readonly string[]): Promise<McpSubscription> {
    const lists = { resourcesListChanged: true, toolsListChanged: true, promptsListChanged: true };
    const filter = uris.length > 0 ? { ...lists, resourceSubscriptions: [...uris] } : lists;
    return this.#client.listen(filter, { timeout: answerMs });
  }

  /** What was acknowledged is what counts, not what was asked for. */
  #take(uris: readonly string[], subscription: McpSubscription, opened: Opened): void {
    const { resourceSubscriptions = [], ...lists } = subscription.honoredFilter;
    const honored = new Set(resourceSubscriptions);
    for (const uri of difference(uris, honored)) {
      opened.refusals.push({ uri, reason: 'The server left it out of what it agreed to tell.', isTransient: false });
    }
    // A stream that tells nothing is ended by most servers at once.
    if (honored.size === 0 && !Object.values(lists).includes(true)) return void subscription.close();
    const stream = { uris, subscription, isEnded: false };
    opened.streams.push(stream);
    void subscription.closed.then((cause) => {
      if (cause !== 'local') this.#end(stream);
    });
  }

  #end(stream: Stream): void {
    stream.isEnded = true;
    if (this.#lingering.has(stream)) return this.#forget(stream);
    if (this.#isClosed) return;
    this.#streams = this.#streams.filter((each) => each !== stream);
    this.#recount();
    this.#ended();
  }

  #recount(): void {
    this.active.clear();
    for (const { subscription } of this.#streams) {
      for (const uri of subscription.honoredFilter.resourceSubscriptions ?? []) this.active.add(uri);
    }
  }
}

/** An answer that says no; not a connection that is gone. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ProtocolError) return true;
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return status === 400 || status === 405 || status === 413 || status === 429;
}
