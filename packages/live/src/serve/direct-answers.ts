// Answers to plain reads and lists, written straight to the response: no web request, no SDK server, no web response.
// Whatever is not a plain result, an error above all, is left to the SDK to word.
import type { ServerResponse } from 'node:http';
import type { Definition } from '../definition/definition.ts';
import type { Observe } from '../definition/observe.ts';
import { type Outcome, failedOutcome, listResources } from '../definition/outcome.ts';
import { LiveError } from '../error.ts';
import type { Caller } from '../resource/caller.ts';
import { type AnswerRoom, largeFrom } from './exchange.ts';
import type { PlainList, PlainRead } from '../session/modern/plain-request.ts';
import { PlainResults } from '../session/modern/plain-result.ts';

/** An outcome that the SDK is to word, and when its request came. */
export interface Unworded {
  readonly outcome: Outcome;
  readonly startedAt: number;
}

export class DirectAnswers {
  readonly #definition: Definition;
  readonly #observe: Observe | undefined;
  readonly #room: AnswerRoom | undefined;
  readonly #results: PlainResults;
  /** How to end each request that is being answered. */
  readonly #ends = new Set<() => void>();

  constructor(definition: Definition, observe: Observe | undefined, room: AnswerRoom | undefined) {
    this.#definition = definition;
    this.#room = room;
    this.#observe = observe;
    this.#results = new PlainResults(definition.info);
  }

  /** Answers, or returns the outcome where the answer is not plain. Rejects when interrupted. */
  async answer(res: ServerResponse, caller: Caller, request: PlainRead | PlainList): Promise<Unworded | undefined> {
    const { clock } = this.#definition;
    const startedAt = clock.now();
    const outcome = this.#outcomeOf(res, caller, request);
    let text: string | undefined;
    let bytes = 0;
    try {
      const result = this.#results.json(await outcome.result);
      text = result && `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(request.id)}}`;
      bytes = Buffer.byteLength(text ?? '');
      if (bytes >= largeFrom) this.#room?.(res, bytes);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      // Also what has no JSON: the SDK would never answer.
      return { outcome: failedOutcome(request.method, error), startedAt };
    }
    if (text === undefined) return { outcome, startedAt };
    const { method, params, client } = request;
    this.#observe?.({ caller, method, params, client, code: undefined, ms: clock.now() - startedAt });
    // A large text that is not read would stay on the heap.
    const body = bytes < largeFrom ? text : Buffer.from(text);
    if (!res.destroyed) res.writeHead(200, { 'content-type': 'application/json', 'Content-Length': bytes }).end(body);
    return undefined;
  }

  /** Interrupts what is still being answered. */
  close(): void {
    for (const end of this.#ends) end();
  }

  #outcomeOf(res: ServerResponse, caller: Caller, request: PlainRead | PlainList): Outcome {
    const { method } = request;
    if (method === 'resources/read') {
      // Reads are not told when their client leaves: a signal costs as much as a small read.
      const result = this.#untilEnd(() => this.#definition.directory.read(caller, request.uri));
      return { method, result };
    }
    const left = new AbortController();
    const result = this.#untilEnd((end) => {
      res.once('close', () => {
        // It also closes after a complete response.
        if (res.writableFinished) return;
        left.abort();
        end();
      });
      return listResources(this.#definition, caller, request.cursor, left.signal);
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
