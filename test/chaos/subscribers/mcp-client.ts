// A client of either era at the gateway, on the official SDK. It reads everything again only when it has to
// subscribe anew: a 2026-07-28 client after the end of its stream, one of the 2025 era after the end of its session.
import { Client, ResourceNotFoundError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Era } from '@tidings/live/testing';
import { z } from 'zod';
import { HoldingSubscriber } from '../subscriber.ts';

/** As the servers of the suite say it, in either era; errors of servers reach clients as they are. */
const notFoundSchema = z.object({ code: z.literal([-32002, -32602]) });

const reconnectionOptions = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 1000,
};

/** Given up sooner, clients of a hub that has just been started would only add to its work. */
const subscribeMs = 20_000;

export class McpSubscriber extends HoldingSubscriber {
  readonly kind: string;
  readonly uris: readonly string[];
  readonly #era: Era;
  readonly #url: () => string;
  #client: Client | undefined;
  #isClosed = false;

  private constructor(era: Era, url: () => string, uris: readonly string[]) {
    super();
    this.kind = `${era} client`;
    this.#era = era;
    this.#url = url;
    this.uris = uris;
  }

  /** `url` is where the hub is at the time. */
  static async open(era: Era, url: () => string, uris: readonly string[]): Promise<McpSubscriber> {
    const subscriber = new McpSubscriber(era, url, uris);
    await subscriber.#untilDone(() => subscriber.#connect());
    return subscriber;
  }

  async hubReturned(): Promise<void> {
    // Its session is unknown now. A 2026-07-28 client has none, and listens again by itself.
    if (this.#era === 'legacy') await this.#untilDone(() => this.#connect());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.holdings.close();
    await this.#client?.close().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    await this.#client?.close().catch(() => undefined);
    const mode = this.#era === 'modern' ? 'auto' : 'legacy';
    const client = new Client({ name: 'chaos', version: '1.0.0' }, { versionNegotiation: { mode } });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => this.holdings.isTold(params.uri));
    client.onerror = () => undefined;
    this.#client = client;
    await client.connect(new StreamableHTTPClientTransport(new URL(`${this.#url()}/mcp`), { reconnectionOptions }));
    if (this.#era === 'modern') return this.#listen(client);
    for (const uri of this.uris) await client.subscribeResource({ uri }, { timeout: subscribeMs });
    this.holdings.doubt(this.uris);
  }

  async #listen(client: Client): Promise<void> {
    const subscription = await client.listen({ resourceSubscriptions: [...this.uris] }, { timeout: subscribeMs });
    void subscription.closed.then((why) => {
      if (why !== 'local' && !this.#isClosed) void this.#untilDone(() => this.#listen(client));
    });
    this.holdings.doubt(this.uris);
  }

  async #untilDone(attempt: () => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      try {
        return await attempt();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  protected async read(uri: string): Promise<string | undefined> {
    if (this.#client === undefined) throw new Error('There is no connection.');
    try {
      const { contents } = await this.#client.readResource({ uri }, { timeout: 5000, cacheMode: 'bypass' });
      const [first] = contents;
      return first !== undefined && 'text' in first ? first.text : '';
    } catch (error) {
      if (error instanceof ResourceNotFoundError || notFoundSchema.safeParse(error).success) return undefined;
      throw error;
    }
  }
}
