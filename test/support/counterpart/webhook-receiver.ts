// Receives webhooks over HTTP and verifies their signatures.
import { createHmac } from 'node:crypto';
import { type IncomingHttpHeaders, type Server, createServer } from 'node:http';
import { onTestFinished } from 'vitest';

const bytes = Buffer.alloc(32, 5);
export const webhookSecret = `whsec_${bytes.toString('base64')}`;

interface Received {
  id: string;
  type: string;
  data: { uuid?: string };
}

export class WebhookReceiver {
  /** The requests that it has answered with success. */
  readonly received: Received[] = [];
  /** The ids of all attempts. */
  readonly ids: string[] = [];
  /** The statuses of its next responses; then 204. */
  readonly statuses: number[] = [];
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = this.statuses.shift() ?? 204;
      this.#take(request.headers, Buffer.concat(chunks).toString(), status);
      response.writeHead(status).end();
    });
  });

  static async start(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    const server = receiver.#server;
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return receiver;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`;
  }

  #take(headers: IncomingHttpHeaders, body: string, status: number): void {
    const id = String(headers['webhook-id']);
    const signed = `${id}.${String(headers['webhook-timestamp'])}.${body}`;
    const signature = `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`;
    if (headers['webhook-signature'] !== signature) throw new Error('A signature is wrong.');
    this.ids.push(id);
    const { type, data }: Omit<Received, 'id'> = JSON.parse(body);
    if (status < 300) this.received.push({ id, type, data });
  }
}
