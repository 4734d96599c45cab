// An HTTP server on loopback that records requests and answers as configured.
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import { freePort } from '../network/free-port.ts';

export interface Posted {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export class HttpSink implements AsyncDisposable {
  readonly received: Posted[] = [];
  /** The status of its responses, or no response at all. */
  answer: number | 'silence' = 200;
  /** The body of its responses. Default: the request's body, as some receivers answer. */
  reply: string | undefined;
  readonly #server: Server;
  #url = '';

  private constructor() {
    this.#server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        this.received.push({ path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString() });
        if (this.answer === 'silence') return;
        res.writeHead(this.answer).end(this.reply ?? `${req.url} ${JSON.stringify(req.headers)}`);
      });
    });
  }

  static async start(): Promise<HttpSink> {
    const sink = new HttpSink();
    const port = await freePort();
    await new Promise<void>((resolve) => void sink.#server.listen(port, '127.0.0.1', resolve));
    sink.#url = `http://127.0.0.1:${port}`;
    return sink;
  }

  get url(): string {
    return this.#url;
  }

  /** Ends it; connections are refused from now on. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
