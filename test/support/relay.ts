// A wire between a client and a server that can be cut and mended, while both stay as they are.
import { type Server, type Socket, connect, createServer } from 'node:net';

export class Relay {
  readonly #server: Server;
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.#target = target;
    server.on('connection', (near) => this.#join(near));
  }

  static async open(target: string): Promise<Relay> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return new Relay(server, new URL(target));
  }

  get url(): string {
    const address = this.#server.address();
    return `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket): void {
    if (this.#isCut) return void near.destroy();
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
