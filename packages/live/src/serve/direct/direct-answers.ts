// Answers plain reads and lists directly on the response: no web request, no SDK server, no web response. Everything
// that is not a plain result, in particular an error, is answered by the SDK.
import type { ServerDefinition } from '../../definition/server-definition.ts';
import type { Observe } from '../../definition/observe.ts';
import { type RequestOutcome, failedOutcome, listResources } from '../../definition/request-outcome.ts';
import type { Caller } from '../../resource/caller.ts';
import type { PlainList, PlainRead } from '../../session/modern/plain-request.ts';
import { PlainResults } from '../../session/modern/plain-result.ts';
import type { HttpExchange } from '../exchange/http-exchange.ts';
import { Interrupted } from './interrupted.ts';

/** An outcome that the SDK must encode, and when its request arrived. */
export interface Unencoded {
  /** Undefined if the client must be asked first, which needs the SDK's context. */
  readonly outcome: RequestOutcome | undefined;
  readonly startedAt: number;
}

/** Whether a plain request can be answered without the SDK's view of the client's request. */
export function isDirect({ directory }: ServerDefinition, request: PlainRead | PlainList): boolean {
  return request.method === 'resources/list' || !request.isTraced || directory.passesTrace !== true;
}

export class DirectAnswers {
  readonly #definition: ServerDefinition;
  readonly #observe: Observe | undefined;
  readonly #results: PlainResults;
  /** For each request in progress, the function that interrupts it. */
  readonly #ends = new Set<() => void>();

  constructor(definition: ServerDefinition, observe: Observe | undefined) {
    this.#definition = definition;
    this.#observe = observe;
    this.#results = new PlainResults(() => definition.info);
  }

  /** Answers, or returns the outcome if the SDK must encode it. Rejects when interrupted. */
  async answer(
    exchange: HttpExchange<unknown>,
    caller: Caller,
    request: PlainRead | PlainList,
  ): Promise<Unencoded | undefined> {
    const { clock } = this.#definition;
    const startedAt = clock.now();
    const outcome = this.#outcomeOf(exchange, caller, request);
    let text: string | undefined;
    try {
      const result = this.#results.json(await outcome.result);
      text = result && `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(request.id)}}`;
      if (text !== undefined) exchange.makeRoom(text);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      if (this.#definition.directory.isQuestion?.(error)) return { outcome: undefined, startedAt };
      // This includes a result without JSON, which the SDK would never answer.
      return { outcome: failedOutcome(request.method, error), startedAt };
    }
    if (text === undefined) return { outcome, startedAt };
    const { method, params, client } = request;
    this.#observe?.({ caller, method, params, client, code: undefined, ms: clock.now() - startedAt });
    exchange.sendJson(text);
    return undefined;
  }

  /** Interrupts all requests in progress. */
  close(): void {
    for (const end of this.#ends) end();
  }

  #outcomeOf(exchange: HttpExchange<unknown>, caller: Caller, request: PlainRead | PlainList): RequestOutcome {
    const { method } = request;
    if (method === 'resources/read') {
      const { directory } = this.#definition;
      const result = this.#untilEnd(() =>
        directory.read(caller, request.uri, { client: request.client, signal: () => exchange.signal() }),
      );
      return { method, result };
    }
    const signal = exchange.signal();
    const result = this.#untilEnd((end) => {
      signal.addEventListener('abort', end, { once: true });
      return listResources(this.#definition, caller, request.cursor, signal);
    });
    return { method, result };
  }

  /** Resolves as `work` does, unless it is interrupted before. */
  #untilEnd<T>(work: (end: () => void) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const end = () => settle(() => reject(new Interrupted()));
      const settle = (answer: () => void) => {
        this.#ends.delete(end);
        answer();
      };
      this.#ends.add(end);
      work(end).then(
        (result) => settle(() => resolve(result)),
        (error: unknown) => settle(() => reject(error)),
      );
    });
  }
}
