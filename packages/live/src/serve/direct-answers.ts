// Answers to plain reads, lists and calls, written straight to the response: no web request, no SDK server, no web
// response. The SDK answers everything that is not a plain result, in particular errors.
import type { Definition } from '../definition/definition.ts';
import { type Observe, codeOfResult } from '../definition/observe.ts';
import { type Outcome, type ResourceOutcome, failedOutcome, listResources } from '../definition/outcome.ts';
import { toResult } from '../definition/tool.ts';
import { LiveError } from '../error.ts';
import type { Caller } from '../resource/caller.ts';
import type { ModernCall, PlainList, PlainRead } from '../session/modern/plain-request.ts';
import { PlainResults } from '../session/modern/plain-result.ts';
import type { DirectCall } from './direct-call.ts';
import type { HttpExchange } from './http-exchange.ts';

/** An outcome that the SDK is to word, and when its request came. */
export interface Unworded {
  /** Undefined if the client has to be asked first, which takes the SDK's context. */
  readonly outcome: Outcome | undefined;
  readonly startedAt: number;
}

/** A result as JSON, and why it is a failure, if it is one. */
interface Worded {
  readonly json: string;
  readonly code?: string | undefined;
}

interface Answering {
  readonly outcome: Outcome;
  /** Undefined if the result is not plain. */
  readonly worded: Promise<Worded | undefined>;
  readonly startedAt: number;
}

/** Whether a plain request can be answered without the client's request as the SDK has it. */
export function isDirect({ directory }: Definition, request: PlainRead | PlainList): boolean {
  return request.method === 'resources/list' || !request.isTraced || directory.passesTrace !== true;
}

export class DirectAnswers {
  readonly #definition: Definition;
  readonly #observe: Observe | undefined;
  readonly #results: PlainResults;
  /** How to end each request that is being answered. */
  readonly #ends = new Set<() => void>();

  constructor(definition: Definition, observe: Observe | undefined) {
    this.#definition = definition;
    this.#observe = observe;
    this.#results = new PlainResults(() => definition.info);
  }

  /** Answers, or returns the outcome where the answer is not plain. Rejects when interrupted. */
  answer(
    exchange: HttpExchange<unknown>,
    caller: Caller,
    request: PlainRead | PlainList,
  ): Promise<Unworded | undefined> {
    const startedAt = this.#definition.clock.now();
    const outcome = this.#outcomeOf(exchange, caller, request);
    const worded = async () => {
      const json = this.#results.json(await outcome.result);
      return json === undefined ? undefined : { json };
    };
    return this.#reply(exchange, caller, request, { outcome, worded: worded(), startedAt });
  }

  /** The same for a call of a tool. */
  call(
    exchange: HttpExchange<unknown>,
    caller: Caller,
    request: ModernCall,
    { run, output }: DirectCall,
  ): Promise<Unworded | undefined> {
    const { method } = request;
    const startedAt = this.#definition.clock.now();
    const outcome = { method, result: this.#untilEnd(() => run(exchange.signal())) };
    const worded = async () => {
      const result = toResult(await outcome.result, output !== undefined);
      const json = this.#results.callJson(result, output);
      return json === undefined ? undefined : { json, code: codeOfResult(result) };
    };
    return this.#reply(exchange, caller, request, { outcome, worded: worded(), startedAt });
  }

  /** Interrupts what is still being answered. */
  close(): void {
    for (const end of this.#ends) end();
  }

  async #reply(
    exchange: HttpExchange<unknown>,
    caller: Caller,
    request: PlainRead | PlainList | ModernCall,
    { outcome, worded: wording, startedAt }: Answering,
  ): Promise<Unworded | undefined> {
    const { clock, directory } = this.#definition;
    const { id, method, params, client } = request;
    let worded: Worded | undefined;
    let text = '';
    try {
      worded = await wording;
      text = worded === undefined ? '' : `{"result":${worded.json},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
      if (worded) exchange.makeRoom(text);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      if (directory.isQuestion?.(error)) return { outcome: undefined, startedAt };
      // Also for a result without JSON, which the SDK would never answer.
      return { outcome: failedOutcome(method, error), startedAt };
    }
    if (worded === undefined) return { outcome, startedAt };
    this.#observe?.({ caller, method, params, client, code: worded.code, ms: clock.now() - startedAt });
    exchange.sendJson(text);
    return undefined;
  }

  #outcomeOf(exchange: HttpExchange<unknown>, caller: Caller, request: PlainRead | PlainList): ResourceOutcome {
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

  /** What `work` resolves with, unless it is ended before. */
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

class Interrupted extends LiveError {
  constructor() {
    super('UNAVAILABLE', 'This server is shutting down.');
  }
}
