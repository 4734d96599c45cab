// A local stand-in for ntfy that records published messages.
import { type Server, createServer } from 'node:http';

export interface Received {
  topic: string;
  message: string;
  [field: string]: unknown;
}

export class NtfyReceiver implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<NtfyReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const receiver = new NtfyReceiver(server, `http://127.0.0.1:${port}/`);
    server.on('request', (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        receiver.received.push(JSON.parse(Buffer.concat(chunks).toString()));
        res.setHeader('content-type', 'application/json').end('{}');
      });
    });
    return receiver;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
