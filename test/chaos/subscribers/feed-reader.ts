// Reads the event stream with a cursor: after a reconnection it continues at its position, and reads only resources
// that an event names.
import { type ClientRequest, get } from 'node:http';
import { z } from 'zod';
import { HoldingSubscriber, type Shown } from '../subscriber.ts';

const eventSchema = z.object({
  type: z.string(),
  serverId: z.string().optional(),
  resourceUri: z.string().optional(),
  added: z.array(z.string()).default([]),
  removed: z.array(z.string()).default([]),
});

const readMs = 5000;

export interface FollowedUri {
  uri: string;
  serverId: string;
}

export class FeedReader extends HoldingSubscriber {
  readonly kind = 'event stream';
  readonly uris: readonly string[];
  readonly #followed: readonly FollowedUri[];
  readonly #url: () => string;
  #cursor: string | undefined;
  #request: ClientRequest | undefined;
  #isClosed = false;

  private constructor(url: () => string, followed: readonly FollowedUri[], shown?: Shown) {
    super(shown);
    this.#url = url;
    this.#followed = followed;
    this.uris = followed.map(({ uri }) => uri);
  }

  /** `url` returns the hub's current address. */
  static async open(url: () => string, followed: readonly FollowedUri[], shown?: Shown): Promise<FeedReader> {
    const reader = new FeedReader(url, followed, shown);
    await reader.#connect();
    reader.holdings.doubt(reader.uris);
    return reader;
  }

  async hubReturned(): Promise<void> {
    // It has been reconnecting all the time.
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.holdings.close();
    this.#request?.destroy();
  }

  /** Resolves when the stream has begun. When it ends, it is opened again. */
  #connect(): Promise<void> {
    return new Promise((resolve) => {
      const headers = this.#cursor === undefined ? {} : { 'Last-Event-ID': this.#cursor };
      const request = get(`${this.#url()}/api/mcp/resource-events`, { headers, agent: false });
      this.#request = request;
      let rest = '';
      request.on('response', (response) => {
        response.setEncoding('utf8').on('data', (chunk: string) => {
          const blocks = (rest + chunk).split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) this.#take(block);
          resolve();
        });
        response.on('error', () => undefined);
      });
      request.on('error', () => undefined);
      request.on('close', () => {
        if (!this.#isClosed) setTimeout(() => void this.#connect().then(resolve), 200);
      });
    });
  }

  #take(block: string): void {
    const id = /^id: ?(.*)$/m.exec(block)?.[1];
    const data = /^data: ?(.*)$/m.exec(block)?.[1];
    if (data !== undefined) this.#receive(eventSchema.parse(JSON.parse(data)));
    if (id !== undefined) this.#cursor = id;
  }

  #receive({ type, serverId, resourceUri, added, removed }: z.infer<typeof eventSchema>): void {
    if (type === 'resource_update' && resourceUri !== undefined) this.holdings.isNotified(resourceUri);
    if (type === 'list_changed') for (const uri of [...added, ...removed]) this.holdings.isNotified(uri);
    if (type !== 'gap') return;
    // A gap may hide an update of each resource it covers.
    const hidden = this.#followed.filter((each) => serverId === undefined || each.serverId === serverId);
    for (const { uri } of hidden) this.holdings.isNotified(uri);
  }

  /** With `node:http`, because in Node 20 an aborted `fetch` sometimes never settles. */
  protected read(uri: string): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const url = `${this.#url()}/resources/${encodeURIComponent(uri)}`;
      const request = get(url, { agent: false }, (response) => {
        if (response.statusCode === 404) {
          response.resume();
          return resolve(undefined);
        }
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
        response.on('error', reject);
      });
      const timer = setTimeout(() => request.destroy(new Error('There was no answer.')), readMs);
      request.on('error', reject).on('close', () => {
        clearTimeout(timer);
        reject(new Error('The connection was closed.'));
      });
    });
  }
}
