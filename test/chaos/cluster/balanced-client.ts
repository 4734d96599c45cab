// A client of either era that has only the balancer's address. It reads after subscribing and after each notification,
// listens again when its stream ends (2026-07-28), and initialises again when its session is unknown (2025).
import {
  Client,
  ResourceNotFoundError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Era } from '@tidings/live/testing';
import { Backoff } from '@tidings/live/time';
import { pause } from '../round.ts';
import { HoldingSubscriber, type Shown } from '../subscriber.ts';

/** As common clients do: short pauses at first, then longer ones. */
const reconnectionOptions = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 1000,
};
const requestMs = 5000;
const pauses = { firstMs: 200, longestMs: 2000 };

export class BalancedClient extends HoldingSubscriber {
  readonly kind: string;
  readonly uris: readonly string[];
  /** The number of times that it has subscribed again. */
  reconnects = -1;
  readonly #era: Era;
  readonly #url: string;
  #client: Client | undefined;
  /** True while it reconnects, so that several errors about one session cause one reconnection. */
  #isRenewing = false;
  #isClosed = false;

  private constructor(era: Era, url: string, uris: readonly string[], shown?: Shown) {
    super(shown);
    this.kind = `${era} client`;
    this.#era = era;
    this.#url = url;
    this.uris = uris;
  }

  static async open(era: Era, url: string, uris: readonly string[], shown?: Shown): Promise<BalancedClient> {
    const client = new BalancedClient(era, url, uris, shown);
    await client.#renew();
    return client;
  }

  async hubReturned(): Promise<void> {
    // It notices by itself.
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.holdings.close();
    await this.#client?.close().catch(() => undefined);
  }

  /** Connects and subscribes again until that succeeds. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const backoff = new Backoff(pauses);
    while (!this.#isClosed) {
      try {
        await this.#connect();
        break;
      } catch {
        await pause(backoff.next());
      }
    }
    this.#isRenewing = false;
  }

  async #connect(): Promise<void> {
    await this.#client?.close().catch(() => undefined);
    const mode = this.#era === 'modern' ? 'auto' : 'legacy';
    const client = new Client({ name: 'chaos', version: '1.0.0' }, { versionNegotiation: { mode } });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      this.holdings.isNotified(params.uri),
    );
    client.onerror = (error) => this.#sessionMayBeGone(error);
    this.#client = client;
    const transport = new StreamableHTTPClientTransport(new URL(`${this.#url}/mcp`), { reconnectionOptions });
    await client.connect(transport, { timeout: requestMs });
    if (this.#era === 'modern') {
      const stream = await client.listen({ resourceSubscriptions: [...this.uris] }, { timeout: requestMs });
      const { resourceSubscriptions: honored = [] } = stream.honoredFilter;
      if (honored.length < this.uris.length) throw new Error('Some of the resources are not known at the moment.');
      void stream.closed.then((why) => void (why !== 'local' && this.#renew()));
    } else {
      for (const uri of this.uris) await client.subscribeResource({ uri }, { timeout: requestMs });
    }
    this.reconnects += 1;
    this.holdings.doubt(this.uris);
  }

  #sessionMayBeGone(error: unknown): void {
    if (this.#era === 'legacy' && error instanceof SdkHttpError && error.status === 404) void this.#renew();
  }

  protected async read(uri: string): Promise<string | undefined> {
    const client = this.#client;
    if (client === undefined) throw new Error('There is no connection.');
    try {
      const { contents } = await client.readResource({ uri }, { timeout: requestMs, cacheMode: 'bypass' });
      const [first] = contents;
      return first !== undefined && 'text' in first ? first.text : '';
    } catch (error) {
      if (error instanceof ResourceNotFoundError) return undefined;
      this.#sessionMayBeGone(error);
      throw error;
    }
  }
}
