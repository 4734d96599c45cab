// A TCP proxy between a client and a server whose connections can be made to fail, single ones or all:
//   cut        both sides get a reset
//   halfClose  the client gets the end of the server's stream, and can still send
//   stall      bytes wait in the proxy and arrive after mend()
//   blackHole  bytes are discarded without notice, also after mend()
//   drip       the server's bytes arrive a few at a time
//   corrupt    every n-th byte of the server is changed
// Client and server keep running. `affectNew` sets the fault of connections that are opened later.
import { type Server, type Socket, connect, createServer } from 'node:net';

export type Fault = 'stall' | 'blackHole' | Drip | Corrupt;
interface Drip {
  drip: number;
  everyMs: number;
}
interface Corrupt {
  corruptEvery: number;
}

/** Selects connections by the bytes they have carried so far. */
export type Which = (connection: Pick<ProxiedConnection, 'heard' | 'asked'>) => boolean;

const all: Which = () => true;

export class FaultyProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #target: URL;
  readonly #connections = new Set<ProxiedConnection>();
  readonly #isNoted: boolean;
  #forNew: Fault | 'refuse' | undefined;

  private constructor(server: Server, target: URL, isNoted: boolean) {
    this.#server = server;
    this.#target = target;
    this.#isNoted = isNoted;
    server.on('connection', (near) => this.#accept(near));
  }

  /** `target` is any URL with a host and a port. `isNoted`: connections can be selected by their bytes. */
  static async open(target: string, { isNoted = true } = {}): Promise<FaultyProxy> {
    const server = createServer({ allowHalfOpen: true });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return new FaultyProxy(server, new URL(target), isNoted);
  }

  /** The target's URL with this proxy's host and port. */
  get url(): string {
    const address = this.#server.address();
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(typeof address === 'object' && address ? address.port : 0);
    return url.href.replace(/\/$/, '');
  }

  get connections(): readonly ProxiedConnection[] {
    return [...this.#connections];
  }

  /** Resets these connections. New ones are accepted. */
  cut(which: Which = all): void {
    for (const connection of this.#chosen(which)) connection.cut();
  }

  halfClose(which: Which = all): void {
    for (const connection of this.#chosen(which)) connection.halfClose();
  }

  affect(fault: Fault, which: Which = all): void {
    for (const connection of this.#chosen(which)) connection.fault = fault;
  }

  affectNew(fault: Fault | 'refuse'): void {
    this.#forNew = fault;
  }

  /** Ends all faults except black holes of open connections, whose bytes are lost. */
  mend(): void {
    this.#forNew = undefined;
    for (const connection of this.#connections) if (connection.fault !== 'blackHole') connection.fault = undefined;
  }

  async close(): Promise<void> {
    this.#forNew = 'refuse';
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #chosen(which: Which): ProxiedConnection[] {
    return this.connections.filter(which);
  }

  #accept(near: Socket): void {
    if (this.#forNew === 'refuse') return void near.on('error', () => undefined).resetAndDestroy();
    const far = connect({ port: Number(this.#target.port), host: this.#target.hostname, allowHalfOpen: true });
    const onClose = () => this.#connections.delete(connection);
    const connection = new ProxiedConnection(near, far, { isNoted: this.#isNoted, onClose });
    connection.fault = this.#forNew;
    this.#connections.add(connection);
  }
}

/** The number of bytes that are kept: enough to recognise a connection. */
const mostKept = 10_000;

export class ProxiedConnection {
  /** The server's bytes, and the client's, as Latin-1. */
  heard = '';
  asked = '';
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #ways: readonly Way[];

  constructor(near: Socket, far: Socket, { isNoted, onClose }: { isNoted: boolean; onClose: () => void }) {
    this.#near = near;
    this.#far = far;
    const noteAsked = (bytes: Buffer) => (this.asked = latest(this.asked, bytes));
    const noteHeard = (bytes: Buffer) => (this.heard = latest(this.heard, bytes));
    this.#ways = [
      new Way(near, far, { isDamaged: false, note: isNoted ? noteAsked : undefined }),
      new Way(far, near, { isDamaged: true, note: isNoted ? noteHeard : undefined }),
    ];
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => {
        // After a black hole the end of the connection is not passed on either.
        if (this.fault !== 'blackHole') other.destroySoon();
        if (near.destroyed && far.destroyed) onClose();
      });
    }
  }

  get fault(): Fault | undefined {
    return this.#ways[0]?.fault;
  }

  set fault(fault: Fault | undefined) {
    for (const way of this.#ways) way.fault = fault;
  }

  cut(): void {
    for (const socket of [this.#near, this.#far]) socket.resetAndDestroy();
  }

  halfClose(): void {
    this.#near.end();
  }
}

function latest(said: string, bytes: Buffer): string {
  return (said + bytes.toString('latin1')).slice(-mostKept);
}

type Note = (bytes: Buffer) => void;

/** The bytes of one direction. */
class Way {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #isDamaged: boolean;
  #fault: Fault | undefined;
  #waiting: Buffer[] = [];
  #hasEnded = false;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `isDamaged`: whether drips and corruption apply to this direction. */
  constructor(from: Socket, to: Socket, { isDamaged, note }: { isDamaged: boolean; note: Note | undefined }) {
    this.#from = from;
    this.#to = to;
    this.#isDamaged = isDamaged;
    from.on('data', (bytes) => {
      note?.(bytes);
      this.#waiting.push(bytes);
      this.#pass();
    });
    from.on('end', () => {
      this.#hasEnded = true;
      this.#pass();
    });
    from.on('close', () => clearInterval(this.#timer));
    to.on('drain', () => this.#pass());
  }

  get fault(): Fault | undefined {
    return this.#fault;
  }

  set fault(fault: Fault | undefined) {
    this.#fault = fault;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (typeof fault === 'object' && 'drip' in fault && this.#isDamaged) {
      this.#timer = setInterval(() => this.#drip(fault.drip), fault.everyMs);
    }
    this.#pass();
  }

  #pass(): void {
    const fault = this.#fault;
    if (fault === 'blackHole') {
      this.#waiting = [];
      this.#from.resume();
      return;
    }
    if (fault === 'stall' || this.#timer !== undefined) return void this.#from.pause();
    const bytes = Buffer.concat(this.#waiting.splice(0));
    if (typeof fault === 'object' && 'corruptEvery' in fault && this.#isDamaged) this.#damage(bytes, fault);
    const isTaken = bytes.length === 0 || this.#to.writableEnded || this.#to.write(bytes);
    if (isTaken) this.#from.resume();
    else this.#from.pause();
    if (this.#hasEnded) this.#to.end();
  }

  #drip(count: number): void {
    const bytes = Buffer.concat(this.#waiting.splice(0));
    if (bytes.length > 0 && !this.#to.writableEnded) this.#to.write(bytes.subarray(0, count));
    if (bytes.length > count) this.#waiting.push(bytes.subarray(count));
    else if (this.#hasEnded) this.#to.end();
    else this.#from.resume();
  }

  #damage(bytes: Buffer, { corruptEvery }: Corrupt): void {
    for (let index = 0; index < bytes.length; index += 1) {
      this.#count += 1;
      if (this.#count % corruptEvery === 0) bytes[index] = (bytes[index] ?? 0) ^ 0x55;
    }
  }
}
