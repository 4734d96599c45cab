// A wire between a client and a server that can be cut, or go dead without a word, and be mended, while
// both stay as they are.
import { type Server, type Socket, connect, createServer } from 'node:net';

interface Line {
  near: Socket;
  far: Socket;
  /** What the server has said on it so far. */
  heard: string;
}

export class Relay implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: URL;
  readonly #lines = new Set<Line>();
  #state: 'well' | 'cut' | 'dead' = 'well';

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

  /** Where the target is reached through it. */
  get url(): string {
    const address = this.#server.address();
    const url = new URL(this.#target);
    url.port = String(typeof address === 'object' && address ? address.port : 0);
    return url.href.replace(/\/$/, '');
  }

  /** What the server has said on each connection that is open. */
  get heard(): string[] {
    return [...this.#lines].map(({ heard }) => heard);
  }

  cut(): void {
    this.#state = 'cut';
    for (const { near, far } of this.#lines) for (const socket of [near, far]) socket.destroy();
  }

  /** Nothing comes through any more, on no connection, and nobody is told. */
  die(): void {
    this.#state = 'dead';
    this.hush(() => true);
  }

  /** Nothing comes through any more on some of the connections. */
  hush(isMeant: (heard: string) => boolean): void {
    for (const { near, far, heard } of this.#lines) {
      if (!isMeant(heard)) continue;
      near.unpipe(far).resume();
      far.unpipe(near).resume();
    }
  }

  mend(): void {
    this.#state = 'well';
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #join(near: Socket): void {
    if (this.#state === 'cut') return void near.destroy();
    const far = connect(Number(this.#target.port), this.#target.hostname);
    const line: Line = { near, far, heard: '' };
    this.#lines.add(line);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#lines.delete(line);
        other.destroy();
      });
      one.pipe(other);
    }
    far.on('data', (data) => (line.heard += data.toString('latin1')));
    if (this.#state === 'dead') this.hush((heard) => heard === '');
  }
}
