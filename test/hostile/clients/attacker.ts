// A hostile client: raw connections, handmade requests, and a token with few rights.
import { request } from 'node:http';
import { type Socket, connect } from 'node:net';
import { eventually } from '@tidings/live/testing';
import {
  RawStream,
  ask,
  initialize,
  openGet,
  openListen,
  post,
  rpcRequest,
  send,
} from '../../support/wire/raw-http.ts';

export class Attacker {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<RawStream>();

  constructor(url: string, token: string) {
    this.url = url;
    this.headers = { authorization: `Bearer ${token}` };
  }

  /** An open connection whose errors are ignored. */
  async socket(): Promise<Socket> {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve);
      socket.once('close', () => resolve());
    });
    return socket;
  }

  /** Sends bytes on a new connection, and returns the response bytes until the hub closes it or a while has passed. */
  async raw(bytes: string | Buffer): Promise<string> {
    const socket = await this.socket();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(bytes);
    await eventually('the end', () => socket.destroyed || socket.readableEnded, 1000).catch(() => undefined);
    socket.destroy();
    return text;
  }

  /** The first line and headers of a request, with this client's token. */
  head(target: string, ...headers: string[]): string {
    const own = [`Host: 127.0.0.1`, `Authorization: ${this.headers['authorization']}`];
    return `${target} HTTP/1.1\r\n${[...own, ...headers].join('\r\n')}\r\n`;
  }

  modern(method: string, params?: Record<string, unknown>) {
    return ask(`${this.url}/mcp`, 'modern', method, params, this.headers);
  }

  legacy(session: Record<string, string>, method: string, params?: Record<string, unknown>) {
    return ask(`${this.url}/mcp`, 'legacy', method, params, session);
  }

  session(): Promise<Record<string, string>> {
    return initialize(`${this.url}/mcp`, this.headers);
  }

  post(body: unknown, headers: Record<string, string> = rpcRequest('modern', 'tools/list').headers) {
    return post(`${this.url}/mcp`, body, { ...headers, ...this.headers });
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      headers: { ...this.headers, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    });
  }

  async listen(uris: string[]): Promise<RawStream> {
    return this.#kept(await openListen(`${this.url}/mcp`, uris, this.headers));
  }

  /** Posts the body, and disconnects as soon as it is sent. */
  postAndLeave(headers: Record<string, string>, body: string): Promise<void> {
    return new Promise((resolve) => {
      const posted = request(`${this.url}/mcp`, { method: 'POST', headers, agent: false });
      posted.on('error', () => undefined).on('close', resolve);
      posted.end(body, () => posted.destroy());
    });
  }

  async getStream(session: Record<string, string>): Promise<RawStream> {
    return this.#kept(await openGet(`${this.url}/mcp`, session));
  }

  async events(query = '', headers: Record<string, string> = {}): Promise<RawStream> {
    const path = `${this.url}/api/mcp/resource-events${query}`;
    return this.#kept(new RawStream(await send(path, 'GET', { ...this.headers, ...headers })));
  }

  /** Does the work `count` times, some at a time. Failed requests are ignored, failed expectations are not. */
  async many(count: number, work: (n: number) => Promise<unknown>, atOnce = 32): Promise<void> {
    let next = 0;
    const worker = async () => {
      while (next < count) {
        next += 1;
        await work(next).catch((error: unknown) => {
          if (error instanceof Error && error.name === 'AssertionError') throw error;
        });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  /** Destroys the sockets without closing the sessions. */
  vanish(): void {
    for (const stream of this.#streams) stream.destroy();
    for (const socket of this.#sockets) socket.destroy();
    this.#streams.clear();
  }

  #kept(stream: RawStream): RawStream {
    this.#streams.add(stream);
    return stream;
  }
}
