// A WebSocket server on loopback that can be closed and opened again on its port.
import type { IncomingMessage } from 'node:http';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { freePort } from '../network/free-port.ts';

export class LoopbackSockets {
  #server: WebSocketServer | undefined;
  #port = 0;

  get port(): number {
    return this.#port;
  }

  get clients(): ReadonlySet<WebSocket> {
    return this.#server?.clients ?? new Set();
  }

  async up(
    connected: (socket: WebSocket, req: IncomingMessage) => void,
    options: Pick<ServerOptions, 'verifyClient'> = {},
  ): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const server = new WebSocketServer({ port: this.#port, host: '127.0.0.1', ...options });
    this.#server = server;
    server.on('connection', connected);
    await new Promise((resolve) => server.once('listening', resolve));
  }

  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}
