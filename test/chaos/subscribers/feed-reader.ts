// Reads the event stream, with a cursor: after a cut it goes on where it was and reads nothing again that it is
// not told of.
import { type ClientRequest, get } from 'node:http';
import { Holdings, type Subscriber } from '../subscriber.ts';

export class FeedReader implements Subscriber {
  readonly kind = 'event stream';
  readonly #holdings: Holdings;
  readonly #uris: readonly string[];
  #url: string;
  #cursor: string | undefined;
  #request: ClientRequest | undefined;
  #isClosed = false;

  private constructor(url: string, uris: readonly string[]) {
    this.#url = url;
    this.#uris = uris;
    this.#holdings = new Holdings((uri) => this.#read(uri));
  }

  static async open(url: string, uris: readonly string[]): Promise<FeedReader> {
    const reader = new FeedReader(url, uris);
    await reader.#connect();
    for (const uri of uris) reader.#holdings.doubt(uri);
    return reader;
  }

  get held() {
    return this.#holdings.held;
  }

  get told() {
    return this.#holdings.told;
  }

  async returned(url: string): Promise<void> {
    this.#url = url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#holdings.close();
    this.#request?.destroy();
  }

  /** Resolves when the stream has shaken hands; after its end it is opened again. */
  #connect(): Promise<void> {
    return new Promise((resolve) => {
      const headers = this.#cursor === undefined ? {} : { 'Last-Event-ID': this.#cursor };
      const request = get(`${this.#url}/api/mcp/resource-events`, { headers, agent: false });
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
    if (data !== undefined) {
      const { type, resourceUri, added, cursor } = Object(JSON.parse(data));
      if (type === 'resource_update') this.#holdings.isTold(String(resourceUri));
      if (type === 'gap') for (const uri of this.#uris) this.#holdings.doubt(uri);
      if (type === 'list_changed') for (const uri of added ?? []) this.#holdings.doubt(String(uri));
      if (type === 'handshake' && typeof cursor === 'string') this.#cursor = cursor;
    }
    if (id !== undefined) this.#cursor = id;
  }

  async #read(uri: string): Promise<string> {
    const response = await fetch(`${this.#url}/resources/${encodeURIComponent(uri)}`, {
      signal: AbortSignal.timeout(5000),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return response.text();
  }
}
