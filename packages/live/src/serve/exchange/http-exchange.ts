// One HTTP request and its response, independent of the kind of server: `NodeExchange` has Node's (req, res),
// `WebExchange` a web-standard Request and Response.
import { type ErrorCode, LimitExceeded, LiveError, errorCodes } from '../../base/error.ts';
import type { EventStream, StreamOwner } from '../../sse/event-stream.ts';
import type { SseStreams } from '../../sse/sse-streams.ts';

export interface HttpExchange<Source> {
  /** The request as the hooks in the options get it. */
  readonly source: Source;
  readonly method: string;
  readonly path: string;
  /** The status of the response; 200 before there is one. */
  readonly status: number;
  /** The client disconnected before there was a response. */
  readonly isGone: boolean;
  /** The client disconnected while it was sending its request. */
  readonly isInterrupted: boolean;
  header(name: string): string | undefined;
  /** Of several headers, Node keeps the first, but the SDK sees all. */
  hasOneContentType(): boolean;
  /**
   * `parsed` if a framework has read and parsed the body already. Rejects as soon as the body is known to be too large.
   */
  readBody(limit: number): Promise<{ parsed: unknown } | { text: string }>;
  /** The request for the SDK, without its body: the parsed body is passed separately. */
  toRequest(init?: RequestInit): Request;
  /** Aborted when the client disconnects before the response is complete. */
  signal(): AbortSignal;
  /** Runs `task` when the response is complete or the client has disconnected; at once if that was before. */
  onClosed(task: () => void): void;
  /** Whether the response comes later than the end of the work on the request. */
  readonly isKept: boolean;
  keep(): void;
  /** Throws if there is no room to keep this text until the client has read it. */
  makeRoom(text: string): void;
  /** Resolves when the response is complete. */
  send(response: Response, sending?: Sending): Promise<void>;
  /** Sends a JSON-RPC response that is encoded already, and for which `makeRoom` was called. */
  sendJson(text: string): void;
  /** Sends a JSON-RPC error without an id, with the HTTP status of its code. */
  sendError(error: LiveError): void;
  /** Whether a long stream can be opened on this connection. */
  readonly isStreamable: boolean;
  openStream(streams: SseStreams, owner: StreamOwner, headers?: Record<string, string>): EventStream;
}

export interface Sending {
  /** Rewrites a body that is not a stream. */
  correct?: (text: string) => string;
  /** The response if there is no room for the intended one. Without it, the response is cut off. */
  refusal?: ((error: unknown) => Response) | undefined;
}

/** An error that is answered before the request id is known, with an HTTP status of its own. */
export class Refusal extends LiveError {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorCode, message: string, headers: Record<string, string> = {}) {
    super(code, message);
    this.status = status;
    this.headers = headers;
  }
}

export function assertStreamable({ isStreamable }: Pick<HttpExchange<unknown>, 'isStreamable'>): void {
  if (isStreamable) return;
  const message = 'A stream needs a connection of its own: do not pipeline it behind a request.';
  throw new LiveError('INVALID_PARAMS', message);
}

export function bodyTooLarge(limit: number): Refusal {
  return new Refusal(413, 'LIMIT_EXCEEDED', `A request body may have at most ${limit} bytes.`);
}

/** Refuses compressed bodies: a few bytes can decompress to gigabytes. */
export function assertPlain(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  const message = 'The body of a request must not be compressed: send it without Content-Encoding.';
  throw new Refusal(415, 'INVALID_PARAMS', message, { 'Accept-Encoding': 'identity' });
}

/** Status, headers and body of an error response without a request id. */
export function refusedResponse(error: LiveError) {
  const { code, message } = error;
  const { http, rpc } = errorCodes[code];
  const isRefusal = error instanceof Refusal;
  return {
    status: isRefusal ? error.status : http,
    headers: { 'Content-Type': 'application/json', ...(isRefusal && error.headers), ...retryHeader(error) },
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: rpc, message, data: { code } } }),
  };
}

export function retryHeader(error: LiveError): Record<string, string> {
  return error instanceof LimitExceeded ? { 'Retry-After': String(error.retryAfter) } : {};
}
