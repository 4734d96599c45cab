// The SDK's session transport, with what it does not do: notifications that belong to no request go
// where we say, "not found" keeps its 2025 code, wrong params are the client's mistake, and no request
// waits forever.
import {
  type HandleRequestOptions,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server';
import { cancelledId } from '../cancellation.ts';
import { isChangeNotification } from '../change-notification.ts';
import { withInvalidParams } from '../../definition/invalid-params.ts';
import { withLegacyErrorCode } from './frames.ts';

const invalidRequest = -32600;
const requestCancelled = -32800;

export class LegacyTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #sendUnrelated: (message: JSONRPCMessage) => void;
  /** What waits for its answer, each with all requests of the same POST. */
  readonly #inFlight = new Map<RequestId, readonly RequestId[]>();
  /** Questions to the client without an answer, each with the request in which they are asked. */
  readonly #questions = new Map<RequestId, RequestId>();
  /** Requests whose response the client has given up. */
  readonly #unheard = new Set<RequestId>();

  constructor(sessionId: string, maxRequestBodySize: number, sendUnrelated: (message: JSONRPCMessage) => void) {
    super({ sessionIdGenerator: () => sessionId, maxRequestBodySize });
    this.#sendUnrelated = sendUnrelated;
  }

  /** The body must have been parsed. */
  override async handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    const messages: unknown[] = [options?.parsedBody].flat();
    const ids = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
    // The SDK would send both answers to the later request and none to the earlier.
    const taken = firstTwice(this.#inFlight.keys(), ids);
    if (taken !== undefined) return idInUse(taken);
    for (const id of ids) this.#inFlight.set(id, ids);
    for (const message of messages) if (isJSONRPCResponse(message)) this.#answered(message.id);
    const response = await super.handleRequest(request, options);
    if (response.status !== 200) for (const id of ids) this.#inFlight.delete(id);
    for (const message of messages) await this.#endCancelled(cancelledId(message));
    return response;
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const isResponse = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isResponse && message.id !== undefined) this.#forget(message.id);
    const about = options?.relatedRequestId;
    if (isJSONRPCRequest(message) && about !== undefined) this.#ask(message.id, about);
    if (isResponse || options?.relatedRequestId !== undefined) {
      await super.send(withLegacyErrorCode(withInvalidParams(message)), options);
    } else if (!isChangeNotification(message)) {
      this.#sendUnrelated(message);
    }
  }

  /**
   * The response to this body is closed; requests without an answer have lost it. A call continues, but not one in
   * which the client is asked: the question cannot reach it, or its answer would have nowhere to go.
   */
  responseClosed(body: unknown): void {
    for (const message of [body].flat()) {
      if (!isJSONRPCRequest(message) || !this.#inFlight.has(message.id)) continue;
      this.#unheard.add(message.id);
      if ([...this.#questions.values()].includes(message.id)) this.#cancel(message.id);
    }
  }

  #ask(question: RequestId, request: RequestId): void {
    this.#questions.set(question, request);
    if (this.#unheard.has(request)) this.#cancel(request);
  }

  #answered(question: RequestId | undefined): void {
    if (question !== undefined) this.#questions.delete(question);
  }

  #forget(id: RequestId): void {
    this.#inFlight.delete(id);
    this.#unheard.delete(id);
    for (const [question, request] of this.#questions) if (request === id) this.#questions.delete(question);
  }

  #cancel(requestId: RequestId): void {
    const params = { requestId, reason: 'The client left while it was asked.' };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    void this.#endCancelled(requestId);
  }

  /** The SDK does not answer what was cancelled, and would keep its stream open. */
  async #endCancelled(id: RequestId | undefined): Promise<void> {
    const companions = id === undefined ? undefined : this.#inFlight.get(id);
    if (id === undefined || companions === undefined) return;
    // Alone it ends without an answer, as the protocol wishes; in a batch the others need the stream.
    if (companions.length === 1) this.closeSSEStream(id);
    await this.send({ jsonrpc: '2.0', id, error: { code: requestCancelled, message: 'Cancelled.' } });
  }
}

function firstTwice(used: Iterable<RequestId>, ids: readonly RequestId[]): RequestId | undefined {
  const seen = new Set(used);
  return ids.find((id) => {
    const isTaken = seen.has(id);
    seen.add(id);
    return isTaken;
  });
}

function idInUse(id: RequestId): Response {
  const message = `Request id ${JSON.stringify(id)} is already in use in this session.`;
  return Response.json({ jsonrpc: '2.0', id, error: { code: invalidRequest, message } }, { status: 400 });
}
