// A client of either era at the gateway, on the official SDK. After a restart of the hub it connects anew and
// reads everything again, as clients do; otherwise only what it is told of.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Era } from '@tidings/live/testing';
import { Holdings, type Subscriber } from '../subscriber.ts';

export class McpSubscriber implements Subscriber {
  readonly kind: string;
  readonly #era: Era;
  readonly #uris: readonly string[];
  readonly #holdings: Holdings;
  #client: Client | undefined;

  private constructor(era: Era, uris: readonly string[]) {
    this.kind = `${era} client`;
    this.#era = era;
    this.#uris = uris;
    this.#holdings = new Holdings((uri) => this.#read(uri));
  }

  static async open(url: string, era: Era, uris: readonly string[]): Promise<McpSubscriber> {
    const subscriber = new McpSubscriber(era, uris);
    await subscriber.returned(url);
    return subscriber;
  }

  get held() {
    return this.#holdings.held;
  }

  get told() {
    return this.#holdings.told;
  }

  async returned(url: string): Promise<void> {
    await this.#client?.close().catch(() => undefined);
    const mode = this.#era === 'modern' ? 'auto' : 'legacy';
    const client = new Client({ name: 'chaos', version: '1.0.0' }, { versionNegotiation: { mode } });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => this.#holdings.isTold(params.uri));
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    this.#client = client;
    if (this.#era === 'modern') await client.listen({ resourceSubscriptions: [...this.#uris] });
    else for (const uri of this.#uris) await client.subscribeResource({ uri });
    for (const uri of this.#uris) this.#holdings.doubt(uri);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#holdings.close();
    await this.#client?.close().catch(() => undefined);
  }

  async #read(uri: string): Promise<string> {
    if (this.#client === undefined) throw new Error('There is no connection.');
    const { contents } = await this.#client.readResource({ uri }, { timeout: 5000, cacheMode: 'bypass' });
    const [first] = contents;
    return first !== undefined && 'text' in first ? first.text : '';
  }
}
