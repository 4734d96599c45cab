// The SDK's session transport with four additions: messages that belong to no request go to our stream, "not found" has
// its 2025 code, invalid params are reported as the client's mistake, and every request ends.
import {
  type HandleRequestOptions,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../time/clock.ts';
import { WakeUp } from '../../time/wake-up.ts';
import { cancelledId } from '../cancellation.ts';
import { isChangeNotification } from '../change-notification.ts';
import { withInvalidParams } from '../../definition/answer/invalid-params.ts';
import { withLegacyErrorCode } from './frames.ts';

const invalidRequest = -32600;
const requestCancelled = -32800;

interface LegacyTransportOptions {
  clock: Clock;
  sessionId: string;
  maxRequestBodySize: number;
  /** Sends a message that belongs to no request. */
  sendUnrelated(this: void, message: JSONRPCMessage): void;
  /** Whether the request may change something, so that it continues when its client closes the response. */
  mayChange(this: void, request: JSONRPCRequest): boolean;
}

/** A call that is answered without the SDK. */
export interface CancellableCall {
  readonly id: RequestId;
  /** Ends the call without an answer. */
  cancel(): void;
}

export class LegacyTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #options: LegacyTransportOptions;
  /** Requests in progress, each with all request ids of the same POST. */
  readonly #inFlight = new Map<RequestId, readonly RequestId[]>();
  /** Unanswered questions to the client, each with the request in which it is asked. */
  readonly #questions = new Map<RequestId, RequestId>();
  /** Requests whose response the client has closed. */
  readonly #abandoned = new Set<RequestId>();
  /** Calls that are answered without the SDK. */
  readonly #held = new Map<RequestId, CancellableCall>();
  /** Woken whenever a request has ended. */
  readonly #ended: WakeUp;

  constructor(options: LegacyTransportOptions) {
    const { clock, sessionId, maxRequestBodySize } = options;
    super({ sessionIdGenerator: () => sessionId, maxRequestBodySize });
    this.#options = options;
    this.#ended = new WakeUp(clock);
  }

  /** The body must be parsed already. */
  override async handleRequest(request: Request, options?: HandleRequestOptions): Promise<Response> {
    const messages: unknown[] = [options?.parsedBody].flat();
    const ids = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
    // The SDK would send both answers to the later request and none to the earlier.
    const taken = firstTwice(this.#inFlight.keys(), ids) ?? ids.find((id) => this.#held.has(id));
    if (taken !== undefined) return idInUse(taken);
    for (const id of ids) this.#inFlight.set(id, ids);
    for (const message of messages) if (isJSONRPCResponse(message)) this.#answered(message.id);
    const response = await super.handleRequest(request, options);
    if (response.status !== 200) for (const id of ids) this.#forget(id);
    for (const message of messages) {
      const cancelled = cancelledId(message);
      if (cancelled !== undefined) this.#held.get(cancelled)?.cancel();
      await this.#endCancelled(cancelled);
    }
    return response;
  }

  isInFlight(id: RequestId): boolean {
    return this.#inFlight.has(id) || this.#held.has(id);
  }

  /** Until its release, the id counts as taken, and a cancellation ends this call. */
  hold(call: CancellableCall): void {
    this.#held.set(call.id, call);
  }

  release({ id }: CancellableCall): void {
    this.#held.delete(id);
  }

  override async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    const isResponse = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isResponse && message.id !== undefined) this.#forget(message.id);
    const about = options?.relatedRequestId;
    if (isJSONRPCRequest(message) && about !== undefined) this.#ask(message.id, about);
    if (isResponse || options?.relatedRequestId !== undefined) {
      await super.send(withLegacyErrorCode(withInvalidParams(message)), options);
    } else if (!isChangeNotification(message)) {
      this.#options.sendUnrelated(message);
    }
  }

  /**
   * The response to this body is closed, so requests still in progress cannot be answered. A request that may change
   * something continues, unless it asks the client a question: the question or its answer could not be delivered.
   */
  responseClosed(body: unknown): void {
    for (const message of [body].flat()) {
      if (!isJSONRPCRequest(message) || !this.#inFlight.has(message.id)) continue;
      this.#abandoned.add(message.id);
      const isAsking = [...this.#questions.values()].includes(message.id);
      if (isAsking || !this.#options.mayChange(message)) this.#cancel(message.id);
    }
  }

  /** Resolves when the work on all requests of this body has ended, even if the response was closed before. */
  async whenDone(body: unknown): Promise<void> {
    const ids = [body].flat().flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
    while (ids.some((id) => this.#inFlight.has(id))) await this.#ended.wait();
  }

  override async close(): Promise<void> {
    await super.close();
    for (const call of this.#held.values()) call.cancel();
    for (const id of this.#inFlight.keys()) this.#forget(id);
  }

  #ask(question: RequestId, request: RequestId): void {
    this.#questions.set(question, request);
    if (this.#abandoned.has(request)) this.#cancel(request);
  }

  #answered(question: RequestId | undefined): void {
    if (question !== undefined) this.#questions.delete(question);
  }

  #forget(id: RequestId): void {
    this.#inFlight.delete(id);
    this.#abandoned.delete(id);
    for (const [question, request] of this.#questions) if (request === id) this.#questions.delete(question);
    this.#ended.wake();
  }

  #cancel(requestId: RequestId): void {
    const params = { requestId, reason: 'The client has left.' };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    void this.#endCancelled(requestId);
  }

  /** The SDK does not answer a cancelled request, and would keep its stream open. */
  async #endCancelled(id: RequestId | undefined): Promise<void> {
    const companions = id === undefined ? undefined : this.#inFlight.get(id);
    if (id === undefined || companions === undefined) return;
    // A single request ends without an answer, as the protocol requires; in a batch, the others need the stream.
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
