// A reader of the event stream that reads a resource again only after an event. Its content in the end shows whether
// the journal's last event was right.
import type { Tracker } from '@tidings/track';
import { eventually } from '@tidings/live/testing';
import type { SseClient } from '../support/wire/sse-client.ts';

export class Consumer {
  readonly #tracker: Tracker;
  readonly #serverId: string;
  readonly #events: SseClient;
  readonly #held = new Map<string, string | undefined>();
  readonly #reading = new Map<string, Promise<void>>();
  readonly #stale = new Set<string>();
  #next = 0;

  private constructor(tracker: Tracker, serverId: string, events: SseClient) {
    this.#tracker = tracker;
    this.#serverId = serverId;
    this.#events = events;
  }

  /** Reads everything once, as a new reader does. */
  static async start(tracker: Tracker, serverId: string, events: SseClient): Promise<Consumer> {
    const consumer = new Consumer(tracker, serverId, events);
    consumer.#next = events.frames.length;
    const uris = [...tracker.upstream(serverId).catalog.resources.keys()];
    for (const uri of uris) consumer.#held.set(uri, textOf(await tracker.read(serverId, uri)));
    return consumer;
  }

  /** Waits until its contents equal these. */
  async agreesWith(truth: () => Record<string, string>, patienceMs?: number): Promise<void> {
    try {
      await eventually(
        'the consumer to agree with the server',
        () => {
          this.#catchUp();
          return JSON.stringify(sorted(this.#held)) === JSON.stringify(sorted(Object.entries(truth())));
        },
        patienceMs,
      );
    } catch (error) {
      const wrong = Object.entries(truth()).filter(([uri, text]) => this.#held.get(uri) !== text);
      throw new Error(
        `It differs in ${wrong.length}, such as ${JSON.stringify(wrong[0])?.slice(0, 200)}, holding ${String(this.#held.get(wrong[0]?.[0] ?? ''))?.slice(0, 100)}; extra: ${[...this.#held.keys()].filter((uri) => !(uri in truth())).join()}`,
        { cause: error },
      );
    }
  }

  #catchUp(): void {
    for (; this.#next < this.#events.frames.length; this.#next += 1) {
      const event = this.#events.frames[this.#next]?.data;
      if (event === undefined || event.type === 'handshake') continue;
      if (event.serverId !== undefined && event.serverId !== this.#serverId) continue;
      if (event.type === 'resource_update') this.#doubt(event.resourceUri);
      if (event.type === 'gap') for (const uri of this.#held.keys()) this.#doubt(uri);
      if (event.type === 'list_changed') {
        for (const uri of event.removed) this.#held.delete(uri);
        for (const uri of event.added) this.#doubt(uri);
      }
    }
    for (const uri of this.#stale) if (!this.#reading.has(uri)) this.#readAgain(uri);
  }

  #doubt(uri: string): void {
    this.#stale.add(uri);
  }

  #readAgain(uri: string): void {
    this.#stale.delete(uri);
    const reading = this.#tracker.read(this.#serverId, uri).then(
      (result) => {
        this.#held.set(uri, textOf(result));
      },
      () => {
        // The read may fail while the server is unavailable: it is repeated.
        if (this.#tracker.upstream(this.#serverId).catalog.resources.has(uri)) this.#stale.add(uri);
      },
    );
    this.#reading.set(
      uri,
      reading.finally(() => this.#reading.delete(uri)),
    );
  }
}

function textOf({ contents }: { contents: readonly object[] }): string | undefined {
  const [first] = contents;
  return first !== undefined && 'text' in first && typeof first.text === 'string' ? first.text : undefined;
}

function sorted(entries: Iterable<[string, string | undefined]>): [string, string | undefined][] {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
}
