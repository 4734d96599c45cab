// One HTTP request and its answer as an endpoint sees them, whichever kind of server they come through: Node's
// (req, res) or a web-standard Request and Response.
import { type ErrorCode, LimitExceeded, LiveError, errorCodes } from '../error.ts';
import type { EventStream, StreamOwner } from '../sse/event-stream.ts';
import type { SseStreams } from '../sse/sse-streams.ts';

export interface HttpExchange<Source> {
  /** The request as the hooks in the options get it. */
  readonly source: Source;
  readonly method: string;
  readonly path: string;
  /** The status of the response; 200 before there is one. */
  readonly status: number;
  /** The client left before there was a response. */
  readonly isGone: boolean;
  /** The client left in the middle of its request. */
  readonly isInterrupted: boolean;
  header(name: string): string | undefined;
  /** Node keeps the first of several, the SDK sees all of them. */
  hasOneContentType(): boolean;
  /** `parsed` where something in front of us has read and parsed it. Rejects as soon as it is known to be too large. */
  readBody(limit: number): Promise<{ parsed: unknown } | { text: string }>;
  /** The request as the SDK takes it: without its body, which travels beside it, already parsed. */
  toRequest(init?: RequestInit): Request;
  /** Aborted when the client leaves before the response is complete. */
  signal(): AbortSignal;
  /** Runs `task` when the response is complete or the client is gone. */
  onClosed(task: () => void): void;
  /** Whether the answer comes after the work on the request is done. */
  readonly isKept: boolean;
  keep(): void;
  /** Throws if such an answer may not be kept until its client has read it. */
  makeRoom(text: string): void;
  /** Resolves when the response is complete. */
  send(response: Response, sending?: Sending): Promise<void>;
  /** A JSON-RPC response that is text already, and has room. */
  sendJson(text: string): void;
  /** A JSON-RPC error without an id, on the HTTP status of its code. */
  sendError(error: LiveError): void;
  /** Whether a long stream can be opened. */
  readonly isStreamable: boolean;
  openStream(streams: SseStreams, owner: StreamOwner, headers?: Record<string, string>): EventStream;
}

export interface Sending {
  /** May replace a body that is not a stream. */
  correct?: (text: string) => string;
  /** The answer if there is no room for the intended one. Without it the response is cut off. */
  refusal?: ((error: unknown) => Response) | undefined;
}

/** An error that is answered before there is a request id, on an HTTP status of its own. */
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

/** Compressed bodies are not taken: a few bytes of one can stand for gigabytes. */
export function assertPlain(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  const message = 'The body of a request must not be compressed: send it without Content-Encoding.';
  throw new Refusal(415, 'INVALID_PARAMS', message, { 'Accept-Encoding': 'identity' });
}

/** The SDK ignores a byte order mark: a body must not be JSON to it and no JSON to us. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Status, headers and body of a response without a request id. */
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
