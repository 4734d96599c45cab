// Between Node's request and response and the web-standard ones the SDK speaks.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RequestId, isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { Log } from '../log.ts';
import { toProtocolError } from '../definition/wire-error.ts';
import { type ErrorCode, LimitExceeded, LiveError, errorCodes } from '../error.ts';
import { sseEvent } from '../sse/sse-event.ts';

/** An error that is answered before there is a request id, on an HTTP status of its own. */
export class Refusal extends LiveError {
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: string) {
    super(code, message);
    this.status = status;
  }
}

/** Node does not tell a response that waits behind another on its connection when the connection closes. */
export function hearOfClose(res: ServerResponse): void {
  if (res.socket) return;
  const { socket } = res.req;
  const onClose = () => {
    res.destroy();
    res.emit('close');
  };
  if (socket.destroyed) {
    onClose();
    return;
  }
  // As many as there are responses waiting on this connection: no leak.
  socket.setMaxListeners(0);
  socket.once('close', onClose);
  // Its turn has come: from here on Node tells it.
  res.once('socket', () => socket.off('close', onClose));
}

/** The body as text; refused as soon as it is known to be too large. */
export async function readBody(req: IncomingMessage, limit: number): Promise<string> {
  const tooLarge = () => new Refusal(413, 'LIMIT_EXCEEDED', `A request body may have at most ${limit} bytes.`);
  if (Number(req.headers['content-length']) > limit) throw tooLarge();
  const chunks = await chunksOf(req, limit);
  if (chunks === undefined) throw tooLarge();
  const [only] = chunks;
  const text = (chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString();
  // The SDK ignores a byte order mark: a body must not be JSON to it and no JSON to us.
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** All chunks, or nothing if they are too much. It leaves no listener: the request may become a long stream. */
function chunksOf(req: IncomingMessage, limit: number): Promise<Buffer[] | undefined> {
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
      settle(() => reject(error ?? new Error('The client left in the middle of its request.')));
    const settle = (answer: () => void) => {
      req.off('data', take).off('end', finish).off('error', fail).off('close', fail);
      answer();
    };
    req.on('data', take).on('end', finish).on('error', fail).on('close', fail);
  });
}

/** The request without its body, which travels beside it, already parsed. */
export function toWebRequest(req: IncomingMessage, init: RequestInit = {}): Request {
  const headers = new Headers();
  for (let index = 0; index + 1 < req.rawHeaders.length; index += 2) {
    const name = req.rawHeaders[index] ?? '';
    // HTTP/2 has its own, which web requests do not take.
    if (!name.startsWith(':')) headers.append(name, req.rawHeaders[index + 1] ?? '');
  }
  // The URL is not used: the path was routed before, and the host was checked.
  return new Request('http://localhost/', { method: req.method ?? 'GET', headers, ...init });
}

/** Smaller answers mostly fit into the buffers of the system. */
export const largeFrom = 64 * 1024;

/** Called before a large answer is written, with its size: it stays in memory until the client has read it. */
export type AnswerRoom = (res: ServerResponse, bytes: number) => void;

export interface Sending {
  /** May replace a body that is not a stream. */
  correct?: (text: string) => string;
  /** Throws where there is no room for an answer. */
  room?: AnswerRoom | undefined;
  /** What is answered instead. Without it the response is cut off. */
  refusal?: ((error: unknown) => Response) | undefined;
}

export async function sendResponse(res: ServerResponse, response: Response, sending: Sending = {}): Promise<void> {
  const { correct = (text) => text, room, refusal } = sending;
  if (res.destroyed) {
    await response.body?.cancel();
    return;
  }
  // Whether the connection stays open is for Node and the client to settle.
  response.headers.delete('connection');
  const headers = Object.fromEntries(response.headers);
  if (response.body === null) {
    res.writeHead(response.status, headers).end();
  } else if (headers['content-type']?.startsWith('text/event-stream')) {
    res.writeHead(response.status, headers).flushHeaders();
    // A client that leaves in the middle is not an error: the pipeline cancels the body.
    const events: AsyncIterable<Uint8Array> = Readable.fromWeb(response.body);
    await pipeline(room === undefined ? events : withRoom(events, res, room, refusal), res).catch(() => undefined);
  } else {
    const body = correct(await response.text());
    const bytes = Buffer.byteLength(body);
    try {
      if (bytes >= largeFrom) room?.(res, bytes);
    } catch (error) {
      if (refusal === undefined) throw error;
      await sendResponse(res, refusal(error));
      return;
    }
    // A large text that is not read would stay on the heap, whose size is limited; bytes do not.
    const content = bytes < largeFrom ? body : Buffer.from(body);
    res.writeHead(response.status, { ...headers, 'Content-Length': bytes }).end(content);
  }
}

/** The same chunks; where one has no room, the refusal is the last. */
async function* withRoom(
  chunks: AsyncIterable<Uint8Array>,
  res: ServerResponse,
  room: AnswerRoom,
  refusal: Sending['refusal'],
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    try {
      if (chunk.length >= largeFrom) room(res, chunk.length);
    } catch (error) {
      if (refusal === undefined) throw error;
      yield Buffer.from(sseEvent(await refusal(error).text(), { event: 'message' }));
      return;
    }
    yield chunk;
  }
}

/** How a request is refused by its id; undefined for a batch, and what is no request. */
export function refusalOf(body: unknown, log: Log): Sending['refusal'] {
  return isJSONRPCRequest(body) ? (error) => rpcError(body.id, error, log) : undefined;
}

/** A JSON-RPC error as the answer to a request. */
export function rpcError(id: RequestId | null, thrown: unknown, log: Log): Response {
  const { code, message, data } = toProtocolError(thrown, {}, log);
  const headers = thrown instanceof LiveError ? retryHeader(thrown) : {};
  return Response.json({ jsonrpc: '2.0', id, error: { code, message, data } }, { headers });
}

function retryHeader(error: LiveError): Record<string, string> {
  return error instanceof LimitExceeded ? { 'Retry-After': String(error.retryAfter) } : {};
}

/** A JSON-RPC error without an id, on the HTTP status of its code. */
export function sendError(res: ServerResponse, error: LiveError): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const { code, message } = error;
  const { http, rpc } = errorCodes[code];
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: rpc, message, data: { code } } });
  // What is left of the request is not read, so the connection cannot be used again.
  const isHttp2 = res.req.httpVersionMajor === 2;
  const headers = {
    'Content-Type': 'application/json',
    ...(!isHttp2 && { Connection: 'close' }),
    ...retryHeader(error),
  };
  res.writeHead(error instanceof Refusal ? error.status : http, headers).end(body);
}
