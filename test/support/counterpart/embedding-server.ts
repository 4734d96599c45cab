// A local endpoint for embeddings with OpenAI's API. Texts with the same words, or with words that a test has declared
// synonyms, get similar vectors.
import { createHash } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';

export interface EmbeddingRequest {
  model: string;
  input: string[];
  authorization: string | undefined;
}

/** Replaces the response; returns true if it has. */
export type Fault = (request: EmbeddingRequest, response: ServerResponse) => boolean;

export class EmbeddingServer implements AsyncDisposable {
  readonly requests: EmbeddingRequest[] = [];
  readonly url: string;
  dimensions = 256;
  fault: Fault = () => false;
  readonly #server: Server;
  readonly #synonyms: Record<string, string>;

  private constructor(server: Server, url: string, synonyms: Record<string, string>) {
    this.#server = server;
    this.url = url;
    this.#synonyms = synonyms;
  }

  static async start(synonyms: Record<string, string> = {}): Promise<EmbeddingServer> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const embeddings = new EmbeddingServer(server, `http://127.0.0.1:${port}/v1`, synonyms);
    server.on('request', (request, response) => void embeddings.#answer(request, response));
    return embeddings;
  }

  /** The number of texts in all requests. */
  get texts(): number {
    return this.requests.reduce((sum, { input }) => sum + input.length, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    if (incoming.method !== 'POST' || incoming.url !== '/v1/embeddings') return void response.writeHead(404).end();
    const { model, input }: EmbeddingRequest = JSON.parse(Buffer.concat(chunks).toString());
    const request = { model, input, authorization: incoming.headers.authorization };
    this.requests.push(request);
    if (this.fault(request, response)) return;
    // In reverse order, as the API allows.
    const data = input
      .map((text, index) => ({ object: 'embedding', index, embedding: this.vectorOf(text) }))
      .toReversed();
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ object: 'list', model, data }));
  }

  vectorOf(text: string): number[] {
    const vector = Array.from({ length: this.dimensions }, () => 0.001);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const place =
        createHash('sha256')
          .update(this.#synonyms[word] ?? word)
          .digest()
          .readUInt32LE() % this.dimensions;
      vector[place] = (vector[place] ?? 0) + 1;
    }
    return vector;
  }
}

/** Fails the next `times` requests in this way. */
export function failing(times: number, fail: (response: ServerResponse) => void): Fault {
  let left = times;
  return (_, response) => {
    if (left <= 0) return false;
    left -= 1;
    fail(response);
    return true;
  };
}
