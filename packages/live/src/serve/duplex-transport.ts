// A connection on which both sides send messages at any time (stdio, in memory), for both eras. This transport stands
// between the SDK and the wire: it observes the messages and sends the notifications.
import {
  SUBSCRIPTION_ID_META_KEY,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpRequestContext,
  type McpServer,
  type SubscriptionFilter,
  type Transport,
  type TransportSendOptions,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { LiveError } from '../base/error.ts';
import { isObject } from '../portable/is-object.ts';
import type { Caller } from '../resource/caller.ts';
import { cancelledId } from '../session/cancellation.ts';
import type { ServerDefinition } from '../definition/server-definition.ts';
import { createInstance } from '../definition/instance.ts';
import { withInvalidParams } from '../definition/answer/invalid-params.ts';
import { LegacyLink } from '../session/legacy/link.ts';
import { withLegacyErrorCode } from '../session/legacy/frames.ts';
import { isChangeNotification } from '../session/change-notification.ts';
import { tooDeep } from '../session/nesting.ts';
import { ListenLink } from '../session/modern/listen-link.ts';
import type { RequestId } from '../session/modern/frames.ts';
import { toProtocolError } from '../definition/answer/wire-error.ts';
import { DirectLine, type RecogniseMessage } from './direct/direct-line.ts';
import type { Line } from '../session/line.ts';

const acknowledgedSchema = z.object({
  notifications: z.custom<SubscriptionFilter>(isObject),
  _meta: z.object({ [SUBSCRIPTION_ID_META_KEY]: z.union([z.string(), z.number()]) }),
});

export class DuplexTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;

  readonly #definition: ServerDefinition;
  readonly #wire: Transport;
  readonly #line: Line;
  readonly #caller: Omit<Caller, 'era'>;
  readonly #direct: DirectLine;
  /** By request id, from the arrival of the request: it may be cancelled before it is acknowledged. */
  readonly #listens = new Map<RequestId, ListenLink>();
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>;
  #resolveClosed: () => void = () => undefined;
  #legacy: LegacyLink | undefined;

  /** `recognise` says which messages are answered without the SDK. */
  constructor(
    definition: ServerDefinition,
    wire: Transport,
    line: Line,
    caller: Omit<Caller, 'era'>,
    recognise?: RecogniseMessage,
  ) {
    this.#definition = definition;
    this.#wire = wire;
    this.#line = line;
    this.#caller = caller;
    this.#direct = new DirectLine(definition, {
      caller: { era: 'modern', ...caller },
      send: (message) => void wire.send(message).catch((error: Error) => this.onerror?.(error)),
      forward: (message) => this.onmessage?.(message),
      recognise,
    });
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  /** The factory for the SDK: one instance per connection and era. */
  createInstance({ era }: McpRequestContext): McpServer {
    const caller: Caller = { era, ...this.#caller };
    if (era === 'modern') {
      const outcomeOf = (id: RequestId) => this.#direct.outcomeOf(id);
      return createInstance(this.#definition, { caller: () => caller, outcomeOf });
    }
    this.#legacy = new LegacyLink(this.#definition, this.#line, caller, () => void this.close());
    return createInstance(this.#definition, { caller: () => caller, subscriptions: this.#legacy.subscriptions });
  }

  async start(): Promise<void> {
    this.#line.onReady(() => {
      this.#legacy?.resume();
      for (const listen of this.#listens.values()) listen.resume();
    });
    this.#wire.onmessage = (message) => this.#receive(message);
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onclose = () => {
      this.#release();
      this.onclose?.();
    };
    await this.#wire.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isChangeNotification(message)) return;
    if ('method' in message && message.method === 'notifications/subscriptions/acknowledged') {
      await this.#acknowledge(message.params);
      return;
    }
    // The answer to a listen request ends it: a refusal by the SDK, or the completion when the server is closed.
    // Answers are not validated, which would cost more than sending them.
    if (!('method' in message) && message.id !== undefined) {
      if (!this.#legacy) this.#direct.sdkAnswered(message.id);
      this.#listens.get(message.id)?.flush();
      this.#forget(message.id);
    }
    const honest = withInvalidParams(message);
    await this.#wire.send(this.#legacy ? withLegacyErrorCode(honest) : honest, options);
  }

  async close(): Promise<void> {
    this.#legacy?.flush();
    this.#release();
    await this.#wire.close();
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#isAnsweredDirectly(message)) return;
    const refusal = tooDeep(message);
    if (refusal) {
      if (isJSONRPCRequest(message)) this.#refuse(message.id, refusal);
      return;
    }
    if (isJSONRPCRequest(message) && !this.#admits(message)) return;
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) {
      this.#forget(cancelled);
      this.#direct.cancel(cancelled);
    }
    this.onmessage?.(message);
  }

  #isAnsweredDirectly(message: JSONRPCMessage): boolean {
    if (this.#legacy || !('id' in message) || message.id === undefined || this.#listens.has(message.id)) return false;
    return this.#direct.takes(message);
  }

  /** Refuses a request id that an open listen request has; for a new listen request, checks the limits. */
  #admits({ id, method, params }: JSONRPCRequest): boolean {
    const { limits } = this.#definition;
    if (this.#listens.has(id)) {
      this.#refuse(id, new LiveError('INVALID_PARAMS', `Request id ${JSON.stringify(id)} is already in use.`));
      return false;
    }
    if (method !== 'subscriptions/listen') return true;
    if (this.#listens.size >= limits.streams) {
      const message = `One connection may have ${limits.streams} listen requests: cancel some first.`;
      this.#refuse(id, new LiveError('LIMIT_EXCEEDED', message));
      return false;
    }
    const caller: Caller = { era: 'modern', ...this.#caller };
    this.#listens.set(
      id,
      new ListenLink(this.#definition, this.#line, { id, params }, caller, () => this.#dismiss(id)),
    );
    return true;
  }

  async #acknowledge(params: unknown): Promise<void> {
    const { notifications, _meta } = acknowledgedSchema.parse(params);
    const listen = this.#listens.get(_meta[SUBSCRIPTION_ID_META_KEY]);
    // Cancelled before it was acknowledged.
    if (!listen) return;
    try {
      await listen.acknowledge(notifications);
    } catch (error) {
      this.#dismiss(listen.id);
      this.#refuse(listen.id, error);
    }
  }

  #refuse(id: RequestId, error: unknown): void {
    const { code, message, data } = toProtocolError(error, {}, this.#definition.log);
    void this.#wire
      .send({ jsonrpc: '2.0', id, error: { code, message, data } })
      .catch((failed: Error) => this.onerror?.(failed));
  }

  /** Ends a listen request from the server's side; the SDK treats it like a cancellation by the client. */
  #dismiss(id: RequestId): void {
    this.#forget(id);
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  }

  #forget(id: RequestId): void {
    this.#listens.get(id)?.close();
    this.#listens.delete(id);
  }

  #release(): void {
    this.#legacy?.close();
    this.#direct.close();
    for (const id of this.#listens.keys()) this.#forget(id);
    this.#resolveClosed();
  }
}
