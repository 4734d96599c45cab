// A request and its response in Node: an IncomingMessage and a ServerResponse, over HTTP/1 or HTTP/2.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LiveError } from '../../base/error.ts';
import { withoutMark } from '../../portable/byte-order-mark.ts';
import { isEventStream } from '../../portable/is-event-stream.ts';
import type { StreamOwner } from '../../sse/event-stream.ts';
import { messageEvent } from '../../sse/sse-event.ts';
import { SseStream } from '../../sse/sse-stream.ts';
import type { SseStreams } from '../../sse/sse-streams.ts';
import { closeWithConnection, isClosed, whenClosed } from '../../sse/when-closed.ts';
import {
  type HttpExchange,
  Refusal,
  type Sending,
  assertPlain,
  bodyTooLarge,
  refusedResponse,
} from './http-exchange.ts';

/** Smaller responses mostly fit into the socket buffers of the system. */
const largeFrom = 64 * 1024;
/** Lower than for responses, because thousands of requests may wait at once. */
const largeRequestFrom = 4 * 1024;

/**
 * Called before a large response is written, with its size: it stays in memory until the client has read it. Also
 * called after a request over a few KB was read: it stays in memory until it is answered, or its stream has ended.
 */
export type AnswerRoom = (res: ServerResponse, bytes: number, what: 'answer' | 'request') => void;

interface NodeExchangeOptions {
  /** The body, if a framework has read it and keeps it elsewhere than in `req.body`. */
  body?: unknown;
  /** Throws if there is no room for a response or a request. */
  room?: AnswerRoom | undefined;
}

export class NodeExchange implements HttpExchange<IncomingMessage> {
  readonly source: IncomingMessage;
  readonly res: ServerResponse;
  readonly #given: unknown;
  readonly #room: AnswerRoom | undefined;
  isKept = false;
  /** The client left before its body was read. */
  #isBodyLost = false;

  constructor(req: IncomingMessage, res: ServerResponse, { body, room }: NodeExchangeOptions = {}) {
    this.source = req;
    this.res = res;
    this.#given = body;
    this.#room = room;
    // A body that is piped into the response ends with it.
    closeWithConnection(res);
  }

  get method(): string {
    return this.source.method ?? 'GET';
  }

  get path(): string {
    return this.source.url?.split('?')[0] ?? '/';
  }

  get status(): number {
    return this.res.statusCode;
  }

  get isGone(): boolean {
    return isClosed(this.res);
  }

  get isInterrupted(): boolean {
    return this.#isBodyLost || (this.source.destroyed && !this.source.complete);
  }

  header(name: string): string | undefined {
    const value = this.source.headers[name];
    return typeof value === 'string' ? value : value?.[0];
  }

  hasOneContentType(): boolean {
    const { rawHeaders } = this.source;
    let count = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index];
      if (name?.length === 12 && name.toLowerCase() === 'content-type') count += 1;
    }
    return count === 1;
  }

  async readBody(limit: number): Promise<{ parsed: unknown } | { text: string }> {
    const req = this.source;
    // A framework's body parser has read it already.
    const readBefore = this.#given ?? ('body' in req && !isUntouched(req, req.body) ? req.body : undefined);
    const textBefore = textOf(readBefore);
    if (textBefore !== undefined) return { text: textBefore };
    if (readBefore !== undefined) return { parsed: readBefore };
    assertPlain(req.headers['content-encoding']);
    // The body was read and not kept: waiting for it would never end.
    if (req.readableDidRead) throw new Refusal(500, 'INTERNAL', bodyIsGone);
    if (Number(req.headers['content-length']) > limit) throw bodyTooLarge(limit);
    const chunks = await chunksOf(req, limit, () => (this.#isBodyLost = true));
    if (chunks === undefined) throw bodyTooLarge(limit);
    const [only] = chunks;
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    if (bytes >= largeRequestFrom) this.#room?.(this.res, bytes, 'request');
    // The SDK ignores a byte order mark, so this does too: both must agree on whether a body is JSON.
    return { text: withoutMark((chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString()) };
  }

  toRequest(init: RequestInit = {}): Request {
    const { rawHeaders } = this.source;
    const headers = new Headers();
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? '';
      // HTTP/2 has pseudo-headers, which a web `Request` refuses.
      if (!name.startsWith(':')) headers.append(name, rawHeaders[index + 1] ?? '');
    }
    // The URL is not used: the path is routed and the host checked already.
    return new Request('http://localhost/', { method: this.method, headers, ...init });
  }

  signal(): AbortSignal {
    const controller = new AbortController();
    if (this.isGone && !this.res.writableFinished) controller.abort();
    // 'close' also follows a complete response; then no abort is needed, and an abort is not cheap.
    whenClosed(this.res, () => {
      if (!this.res.writableFinished) controller.abort();
    });
    return controller.signal;
  }

  onClosed(task: () => void): void {
    if (this.isGone) task();
    else whenClosed(this.res, task);
  }

  keep(): void {
    this.isKept = true;
    // The headers take as much memory as everything else of a waiting call.
    this.source.rawHeaders = [];
    this.source.headers = {};
  }

  makeRoom(text: string): void {
    if (this.#room !== undefined) this.#makeRoom(Buffer.byteLength(text));
  }

  #makeRoom(bytes: number): void {
    if (bytes >= largeFrom) this.#room?.(this.res, bytes, 'answer');
  }

  async send(response: Response, { correct = (text) => text, refusal }: Sending = {}): Promise<void> {
    const { res } = this;
    if (this.isGone) {
      await response.body?.cancel();
      return;
    }
    // Node and the client decide whether the connection stays open.
    response.headers.delete('connection');
    const headers = Object.fromEntries(response.headers);
    if (response.body === null) {
      res.writeHead(response.status, headers).end();
    } else if (isEventStream(headers['content-type'])) {
      res.writeHead(response.status, headers).flushHeaders();
      const events: AsyncIterable<Uint8Array> = Readable.fromWeb(response.body);
      // A client that disconnects during a response is not an error: the pipeline cancels the body.
      await pipeline(this.#room === undefined ? events : this.#withRoom(events, refusal), res).catch(() => undefined);
    } else {
      const body = correct(await response.text());
      const bytes = Buffer.byteLength(body);
      try {
        this.#makeRoom(bytes);
      } catch (error) {
        if (refusal === undefined) throw error;
        await this.send(refusal(error));
        return;
      }
      res.writeHead(response.status, { ...headers, 'Content-Length': bytes }).end(bodyOf(body, bytes));
    }
  }

  /** Passes chunks on; if there is no room for one, the refusal is sent instead, and ends the body. */
  async *#withRoom(
    chunks: AsyncIterable<Uint8Array>,
    refusal: Sending['refusal'],
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      try {
        this.#makeRoom(chunk.length);
      } catch (error) {
        if (refusal === undefined) throw error;
        yield Buffer.from(messageEvent(await refusal(error).text()));
        return;
      }
      yield chunk;
    }
  }

  sendJson(text: string): void {
    if (this.isGone) return;
    const bytes = Buffer.byteLength(text);
    const headers = { 'content-type': 'application/json', 'Content-Length': bytes };
    this.res.writeHead(200, headers).end(bodyOf(text, bytes));
  }

  sendError(error: LiveError): void {
    const { res } = this;
    if (res.headersSent || this.isGone) {
      res.destroy();
      return;
    }
    const { status, headers, body } = refusedResponse(error);
    // The rest of the request is not read, so the connection cannot be reused.
    const isHttp2 = this.source.httpVersionMajor === 2;
    res.writeHead(status, { ...headers, ...(!isHttp2 && { Connection: 'close' }) }).end(body);
  }

  /** A pipelined response, which waits behind another on its connection, could deliver nothing while it uses memory. */
  get isStreamable(): boolean {
    return this.res.socket !== null;
  }

  openStream(streams: SseStreams, owner: StreamOwner, headers?: Record<string, string>): SseStream {
    return new SseStream(this.res, streams, owner, headers);
  }
}

const bodyIsGone =
  'The body of this request was read before it got here: mount the endpoint before what reads bodies, leave the body in req.body, or hand it to handle(req, res, body).';

/** A body parser of Express 4 that does not parse this body sets an empty object, and leaves the body unread. */
function isUntouched({ readableDidRead }: IncomingMessage, body: unknown): boolean {
  return !readableDidRead && typeof body === 'object' && body !== null && Object.keys(body).length === 0;
}

/** A large unread response as a string would stay on the size-limited heap; a buffer does not. */
function bodyOf(text: string, bytes: number): string | Buffer {
  return bytes < largeFrom ? text : Buffer.from(text);
}

/** The text of a body that was read, but not parsed. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  return ArrayBuffer.isView(body) ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString() : undefined;
}

/**
 * All chunks, or undefined if they exceed the limit. Calls `lost` and rejects if the client has left. Leaves no listener
 * behind: the request may become a long stream.
 */
function chunksOf(req: IncomingMessage, limit: number, lost: () => void): Promise<Buffer[] | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (bytes: Buffer) => {
      chunks.push(bytes);
      size += bytes.length;
      if (size > limit) settle(() => resolve(undefined));
    };
    const finish = () => settle(() => resolve(chunks));
    const fail = (error?: Error) =>
      settle(() => {
        lost();
        reject(error ?? new Error('The client left in the middle of its request.'));
      });
    const settle = (answer: () => void) => {
      req.off('data', take).off('end', finish).off('error', fail).off('close', fail);
      answer();
    };
    req.on('data', take).on('end', finish).on('error', fail).on('close', fail);
    // The client may have left during the authentication: then none of these events follows.
    if (req.destroyed) fail();
  });
}
