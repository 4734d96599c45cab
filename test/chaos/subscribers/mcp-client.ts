// A client of either era at the gateway, on the official SDK. It reads everything again only after it had to subscribe
// again: a 2026-07-28 client after its stream has ended, a 2025-era client after its session has ended.
import { Client, ResourceNotFoundError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Era } from '@tidings/live/testing';
import { z } from 'zod';
import { HoldingSubscriber } from '../subscriber.ts';

/** The servers' error for an unknown resource in either era; the hub passes errors of servers through. */
const notFoundSchema = z.object({ code: z.literal([-32002, -32602]) });

const reconnectionOptions = {
  initialReconnectionDelay: 200,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 1000,
};

/** Long, because retries would add to the work of a hub that has just started. */
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

  /** `url` returns the hub's current address. */
  static async open(era: Era, url: () => string, uris: readonly string[]): Promise<McpSubscriber> {
    const subscriber = new McpSubscriber(era, url, uris);
    await subscriber.#untilDone(() => subscriber.#connect());
    return subscriber;
  }

  async hubReturned(): Promise<void> {
    // Its session is unknown now. A 2026-07-28 client has no session, and listens again by itself.
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
    client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      this.holdings.isNotified(params.uri),
    );
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
