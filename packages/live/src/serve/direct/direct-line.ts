// Plain reads and lists on a duplex connection, answered without the SDK once the SDK has established that the
// connection is a modern one. Everything that is not a plain result, in particular an error, is answered by the SDK.
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import type { ServerDefinition } from '../../definition/server-definition.ts';
import { type RequestOutcome, failedOutcome, listResources } from '../../definition/request-outcome.ts';
import type { Caller } from '../../resource/caller.ts';
import { type PlainList, type PlainRead, type PlainRequest, plainRequest } from '../../session/modern/plain-request.ts';
import { PlainResults } from '../../session/modern/plain-result.ts';
import { isDirect } from './direct-answers.ts';

/** Undefined if the SDK must handle the message. */
export type RecogniseMessage = (message: JSONRPCMessage) => PlainRequest | undefined;

interface DirectLineOptions {
  readonly caller: Caller;
  /** Sends to the client. */
  send(this: void, message: JSONRPCMessage): void;
  /** Passes a message to the SDK. */
  forward(this: void, message: JSONRPCMessage): void;
  readonly recognise?: RecogniseMessage | undefined;
}

interface PendingAnswer {
  readonly outcome: RequestOutcome;
  readonly abort: () => void;
}

export class DirectLine {
  readonly #definition: ServerDefinition;
  readonly #options: DirectLineOptions;
  readonly #recognise: RecogniseMessage;
  readonly #results: PlainResults;
  /** Requests in progress: their outcomes, and the function that gives up a cancelled one. */
  readonly #pending = new Map<RequestId, PendingAnswer>();
  /** Outcomes that the SDK must encode. */
  readonly #unencoded = new Map<RequestId, RequestOutcome>();
  /** Whether the SDK has answered a modern request: after that, the connection cannot become a 2025-era one. */
  #isSettled = false;
  /** The modern request whose answer establishes this. */
  #settling: RequestId | undefined;

  constructor(definition: ServerDefinition, options: DirectLineOptions) {
    this.#definition = definition;
    this.#options = options;
    this.#recognise = options.recognise ?? plainRequest;
    this.#results = new PlainResults(() => definition.info);
  }

  /** Whether this message is answered here; otherwise the SDK handles it. */
  takes(message: JSONRPCMessage): boolean {
    const request = this.#recognise(message);
    if (request?.method !== 'resources/read' && request?.method !== 'resources/list') return false;
    if (!this.#isSettled) this.#settling ??= request.id;
    if (!this.#isSettled || !this.#canAnswer(request)) return false;
    void this.#answer(request, message);
    return true;
  }

  /** Called for each answer of the SDK while the connection is a modern one. */
  sdkAnswered(id: RequestId): void {
    if (this.#settling !== undefined && id === this.#settling) this.#isSettled = true;
  }

  outcomeOf(id: RequestId): RequestOutcome | undefined {
    const outcome = this.#unencoded.get(id);
    this.#unencoded.delete(id);
    return outcome;
  }

  /** A cancelled request gets no answer. */
  cancel(id: RequestId): void {
    this.#pending.get(id)?.abort();
    this.#pending.delete(id);
  }

  close(): void {
    for (const id of this.#pending.keys()) this.cancel(id);
  }

  #canAnswer(request: PlainRead | PlainList): boolean {
    return !this.#pending.has(request.id) && isDirect(this.#definition, request);
  }

  async #answer(request: PlainRead | PlainList, message: JSONRPCMessage): Promise<void> {
    const { id, method } = request;
    const pending = this.#begin(request);
    this.#pending.set(id, pending);
    let outcome: RequestOutcome | undefined = pending.outcome;
    let result: Record<string, unknown> | undefined;
    try {
      result = this.#results.complete(await pending.outcome.result);
    } catch (error) {
      // The client must be asked first: the read is repeated through the SDK, whose context can do that.
      outcome = this.#definition.directory.isQuestion?.(error) ? undefined : failedOutcome(method, error);
    }
    if (this.#pending.get(id) !== pending) return;
    this.#pending.delete(id);
    if (result) {
      this.#options.send({ result, jsonrpc: '2.0', id });
    } else {
      if (outcome) this.#unencoded.set(id, outcome);
      this.#options.forward(message);
    }
  }

  #begin(request: PlainRead | PlainList): PendingAnswer {
    const { caller } = this.#options;
    const { method } = request;
    if (method === 'resources/read') {
      let signalled: AbortController | undefined;
      const signal = () => (signalled ??= new AbortController()).signal;
      const result = this.#definition.directory.read(caller, request.uri, { client: request.client, signal });
      return { outcome: { method, result }, abort: () => signalled?.abort() };
    }
    const left = new AbortController();
    const result = listResources(this.#definition, caller, request.cursor, left.signal);
    return { outcome: { method, result }, abort: () => left.abort() };
  }
}
