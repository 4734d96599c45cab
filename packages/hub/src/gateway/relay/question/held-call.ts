// One call on a 2025-era session of its own, which lasts as long as the server needs. Whenever the server asks for
// something, the caller's request is answered with the questions; the caller's next request, a round, brings answers.
//
//   round: request ─► ... server works ... ─► its result            (the call has ended)
//                                          └► questions             (held, until the next round or its limit)
import type { InputRequests, InputRequiredResult } from '@modelcontextprotocol/client';
import { type Clock, LiveError, type Timer } from '@tidings/live';
import { WakeUp, delay } from '@tidings/live/time';
import type { ServerQuestion } from '@tidings/track/internal';
import { namedQuestion } from './named-question.ts';
import { admittedSize, refusedQuestion } from './question-limits.ts';
import type { Round } from '../relayed-request.ts';

/** How often one call may ask; the SDK allows the same number for a 2025-era client. */
const mostRounds = 8;
/** Questions that a server asks together arrive one after another: they are gathered for this long. */
const gatherMs = 20;

interface HeldQuestion {
  request: ServerQuestion;
  size: number;
  answer(this: void, response: unknown): void;
  refuse(this: void, reason: string): void;
  /** Aborted when the question was answered or refused. */
  readonly over: AbortSignal;
}

/** Something that takes a server's questions. */
export interface Asking {
  ask(request: ServerQuestion, signal: AbortSignal): Promise<unknown>;
}

type CallOutcome<Result> = { result: Result } | { error: unknown };

interface HeldCallOptions {
  clock: Clock;
  serverId: string;
  /** The state that the caller has to send after this round to continue the call. */
  stateOf(this: void, round: number): string;
  /** How long a caller may take to answer. */
  patienceMs: number;
  /** The call has ended, and its outcome was delivered or dropped. */
  done(this: void): void;
}

export class HeldCall<Result> {
  readonly #options: HeldCallOptions;
  readonly #ending = new AbortController();
  /** Ends the call because the caller has left. */
  readonly #callerLeft = () => this.end(cancelled());
  readonly #questions = new Map<string, HeldQuestion>();
  /** Answers that came with the first request, by the names of their questions. Each is used once. */
  readonly #earlyAnswers = new Map<string, unknown>();
  /** The task that the call has become, if any. */
  #task: Asking | undefined;
  #outcome: CallOutcome<Result> | undefined;
  #round: Round | undefined;
  /** Wakes the caller's request when the server has asked or the call has ended. */
  readonly #wakeUp: WakeUp;
  #limit: Timer | undefined;
  #heldSince: number | undefined;
  #rounds = 0;
  /** Whether the caller's request stays open between two rounds, as in the 2025 era. */
  #isOpen = false;
  #questionCount = 0;

  constructor(options: HeldCallOptions) {
    this.#options = options;
    this.#wakeUp = new WakeUp(options.clock);
  }

  /** Aborted when the call has to end at the server. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** The request that the caller waits on now; undefined between two rounds. */
  get round(): Round | undefined {
    return this.#round;
  }

  /** Since when the call waits for its caller; undefined during a round. */
  get heldSince(): number | undefined {
    return this.#heldSince;
  }

  /** Whether the server has asked for something. */
  get hasAsked(): boolean {
    return this.#questionCount > 0;
  }

  /** Whether the caller waits for the outcome. A modern caller who was asked and has not answered may have left. */
  get isAwaited(): boolean {
    return this.#round !== undefined || this.#isOpen;
  }

  /** Whether the server waits for answers that are not those of a task. */
  get hasOpenQuestions(): boolean {
    return this.#questions.size > 0 && this.#task === undefined;
  }

  /** Passes the open and later questions of the server to the task that the call has become. */
  handOver(task: Asking): void {
    this.#task = task;
    for (const { request, over, answer, refuse } of this.#questions.values())
      task.ask(request, over).then(answer, () => refuse('The task has ended.'));
  }

  giveWay(): void {
    this.end(new LiveError('LIMIT_EXCEEDED', 'The call was ended: its caller made too many other calls.'));
  }

  /** Whether the questions of this round, counted from 1, are the ones that wait for answers. */
  isWaitingFor(round: number): boolean {
    return this.#round === undefined && this.#rounds === round;
  }

  begin(running: Promise<Result>): void {
    running.then(
      (result) => this.#settle({ result }),
      (error: unknown) => this.#settle({ error }),
    );
  }

  /** Takes a question of the server; resolves with the caller's answer. */
  ask(request: ServerQuestion, signal: AbortSignal): Promise<unknown> {
    if (this.#task) return this.#task.ask(request, signal);
    if (this.#ending.signal.aborted || this.#outcome)
      throw refusedQuestion('The call that this belonged to has ended.');
    const size = admittedSize(request, this.#questions.values());
    return new Promise((resolve, reject) => {
      this.#questionCount += 1;
      const { name, question } = namedQuestion(request);
      const key = name === undefined || this.#questions.has(name) ? `question-${this.#questionCount}` : name;
      if (name !== undefined && this.#earlyAnswers.has(name)) {
        resolve(this.#earlyAnswers.get(name));
        this.#earlyAnswers.delete(name);
        return;
      }
      // The server may cancel its question.
      const withdraw = () => this.#questions.get(key)?.refuse('Cancelled.');
      const over = new AbortController();
      const close = () => {
        signal.removeEventListener('abort', withdraw);
        this.#questions.delete(key);
        over.abort();
      };
      this.#questions.set(key, {
        request: question,
        size,
        over: over.signal,
        answer: (response) => {
          close();
          resolve(response);
        },
        refuse: (reason) => {
          close();
          reject(refusedQuestion(reason));
        },
      });
      signal.addEventListener('abort', withdraw, { once: true });
      this.#wakeUp.wake();
    });
  }

  /** Handles one request of the caller. Resolves with the result, or with the next questions. */
  async next(round: Round): Promise<Result | InputRequiredResult> {
    this.#limit?.cancel();
    this.#heldSince = undefined;
    this.#round = round;
    const { mcpReq, caller } = round.context;
    this.#isOpen = caller.era === 'legacy';
    mcpReq.signal.addEventListener('abort', this.#callerLeft, { once: true });
    if (mcpReq.signal.aborted) this.#callerLeft();
    try {
      const responses = Object.entries(mcpReq.inputResponses ?? {});
      // In 2026-07-28 a client may send answers with a new request.
      if (this.#rounds === 0) for (const [key, response] of responses) this.#earlyAnswers.set(key, response);
      else this.#take(responses);
      await this.#untilNext();
      const outcome = this.#outcome;
      if (outcome === undefined) return this.#hold();
      this.#options.done();
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    } finally {
      // The SDK keeps the request of a 2025-era client open until the last round, so the end of the request means that
      // the caller left.
      if (caller.era === 'modern' || this.#outcome) mcpReq.signal.removeEventListener('abort', this.#callerLeft);
      this.#round = undefined;
      round.end();
    }
  }

  /** Ends the call, also at the server. */
  end(reason: Error): void {
    if (this.#outcome) {
      this.#options.done();
      return;
    }
    this.#ending.abort(reason);
    this.#settle({ error: reason });
    if (this.#round === undefined) this.#options.done();
  }

  #settle(outcome: CallOutcome<Result>): void {
    this.#outcome ??= outcome;
    if (!this.#task) for (const question of this.#questions.values()) question.refuse('The call has ended.');
    this.#wakeUp.wake();
  }

  #take(responses: readonly (readonly [string, unknown])[]): void {
    for (const [key, response] of responses) this.#questions.get(key)?.answer(response);
  }

  async #untilNext(): Promise<void> {
    while (this.#outcome === undefined && this.#questions.size === 0) await this.#wakeUp.wait();
    if (this.#outcome === undefined) await delay(this.#options.clock, gatherMs);
    // A question may have been withdrawn meanwhile.
    if (this.#outcome === undefined && this.#questions.size === 0) await this.#untilNext();
  }

  #hold(): InputRequiredResult {
    const { clock, serverId, stateOf, patienceMs } = this.#options;
    this.#rounds += 1;
    if (this.#rounds > mostRounds) {
      const message = `The server "${serverId}" has asked ${mostRounds} times in one call, which is the most that the hub passes on.`;
      const error = new LiveError('LIMIT_EXCEEDED', message);
      this.end(error);
      this.#options.done();
      throw error;
    }
    this.#heldSince = clock.now();
    this.#limit = clock.after(patienceMs, () => this.end(tooLate(patienceMs)));
    const inputRequests: InputRequests = {};
    for (const [key, { request }] of this.#questions) inputRequests[key] = request;
    return { resultType: 'input_required', inputRequests, requestState: stateOf(this.#rounds) };
  }
}

function cancelled(): LiveError {
  return new LiveError('UNAVAILABLE', 'The caller has cancelled the call.');
}

function tooLate(ms: number): LiveError {
  return new LiveError('UNAVAILABLE', `The call has ended: its question was not answered within ${ms / 1000} s.`);
}
