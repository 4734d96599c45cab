// A request and its response in web-standard form: a Request, and the promise of a Response.
import type { LiveError } from '../../base/error.ts';
import { withoutMark } from '../../portable/byte-order-mark.ts';
import { isEventStream } from '../../portable/is-event-stream.ts';
import type { StreamOwner } from '../../sse/event-stream.ts';
import type { SseStreams } from '../../sse/sse-streams.ts';
import { WebSseStream } from '../../sse/web-sse-stream.ts';
import {
  type HttpExchange,
  Refusal,
  type Sending,
  assertPlain,
  bodyTooLarge,
  refusedResponse,
} from './http-exchange.ts';

/** The status for a client that has disconnected. */
const clientClosedRequest = 499;

export class WebExchange implements HttpExchange<Request> {
  readonly source: Request;
  readonly response: Promise<Response>;
  readonly #left = new AbortController();
  readonly #onLeave = () => this.#left.abort();
  #respond: (response: Response) => void = () => undefined;
  #status = 200;
  /** A long stream, which is open after the work on the request has ended. */
  #stream: WebSseStream | undefined;
  readonly #whenClosed: (() => void)[] = [];
  #isClosed = false;
  isKept = false;

  constructor(request: Request) {
    this.source = request;
    this.response = new Promise((resolve) => {
      this.#respond = resolve;
    });
    if (request.signal.aborted) this.#onLeave();
    else request.signal.addEventListener('abort', this.#onLeave);
  }

  get method(): string {
    return this.source.method;
  }

  get path(): string {
    return new URL(this.source.url).pathname;
  }

  get status(): number {
    return this.#status;
  }

  get isGone(): boolean {
    return this.#left.signal.aborted;
  }

  get isInterrupted(): boolean {
    return this.isGone;
  }

  header(name: string): string | undefined {
    return this.source.headers.get(name) ?? undefined;
  }

  hasOneContentType(): boolean {
    return this.header('content-type')?.includes(',') === false;
  }

  async readBody(limit: number): Promise<{ text: string }> {
    const { bodyUsed, body } = this.source;
    if (bodyUsed || body?.locked === true) throw new Refusal(500, 'INTERNAL', bodyIsGone);
    assertPlain(this.header('content-encoding'));
    if (Number(this.header('content-length')) > limit) throw bodyTooLarge(limit);
    let size = 0;
    let text = '';
    const decoder = new TextDecoder();
    // A reader, because some runtimes cannot iterate over streams.
    const reader = body?.getReader();
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
      size += chunk.value.byteLength;
      if (size > limit) {
        // The rest of the body is discarded, so this is not awaited.
        reader?.cancel().catch(() => undefined);
        throw bodyTooLarge(limit);
      }
      text += decoder.decode(chunk.value, { stream: true });
    }
    // The SDK ignores a byte order mark, so this does too: both must agree on whether a body is JSON.
    return { text: withoutMark(text + decoder.decode()) };
  }

  toRequest(init: RequestInit = {}): Request {
    const { method, headers } = this.source;
    return new Request('http://localhost/', { method, headers, ...init });
  }

  signal(): AbortSignal {
    return this.#left.signal;
  }

  onClosed(task: () => void): void {
    if (this.#isClosed) task();
    else this.#whenClosed.push(task);
  }

  keep(): void {
    this.isKept = true;
    if (this.isGone) this.#end();
    else this.#left.signal.addEventListener('abort', () => this.#end());
  }

  makeRoom(): void {
    // The server around us holds the response, and does not say how much of it was read.
  }

  async send(response: Response, { correct = (text) => text }: Sending = {}): Promise<void> {
    const { status, headers, body } = response;
    headers.delete('connection');
    if (this.isGone) {
      await body?.cancel();
    } else if (body === null) {
      this.#answer(response);
    } else if (isEventStream(headers.get('content-type'))) {
      await this.#sendStream(body, { status, headers });
    } else {
      this.#answer(new Response(correct(await response.text()), { status, headers }));
    }
  }

  sendJson(text: string): void {
    if (this.isGone) return;
    this.#answer(new Response(text, { headers: { 'content-type': 'application/json' } }));
    if (this.isKept) this.#end();
  }

  sendError(error: LiveError): void {
    if (this.isGone) return;
    const { status, headers, body } = refusedResponse(error);
    this.#answer(new Response(body, { status, headers }));
  }

  /** The server around us decides what a connection can hold. */
  get isStreamable(): boolean {
    return true;
  }

  openStream(streams: SseStreams, owner: StreamOwner, headers?: Record<string, string>): WebSseStream {
    const closing: StreamOwner = {
      streamDrained: () => owner.streamDrained(),
      streamClosed: () => {
        owner.streamClosed();
        this.#close();
      },
    };
    const stream = new WebSseStream(streams, closing, headers);
    this.#stream = stream;
    this.#left.signal.addEventListener('abort', () => stream.close());
    this.#answer(stream.response);
    return stream;
  }

  /** The work on the request is done. */
  finish(): void {
    if (this.#stream === undefined && !this.isKept) this.#end();
  }

  #end(): void {
    // There is no response only if the client has disconnected.
    this.#respond(new Response(null, { status: clientClosedRequest }));
    this.#close();
  }

  /** Passes on a body from the SDK until it ends or the client disconnects. */
  async #sendStream(body: ReadableStream<Uint8Array>, init: ResponseInit): Promise<void> {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const piped = body.pipeTo(writable, { signal: this.#left.signal });
    this.#answer(new Response(readable, init));
    // A client that disconnects cancels the readable half, which cancels the body.
    await piped.catch(() => this.#left.abort());
  }

  #answer(response: Response): void {
    this.#status = response.status;
    this.#respond(response);
  }

  #close(): void {
    this.#isClosed = true;
    this.source.signal.removeEventListener('abort', this.#onLeave);
    for (const task of this.#whenClosed.splice(0)) task();
  }
}

const bodyIsGone =
  'The body of this request was read before it got here: mount the endpoint before what reads bodies, or hand over a Request with a body of its own.';
