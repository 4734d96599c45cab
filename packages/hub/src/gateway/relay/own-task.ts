// A task on the session of a caller who manages it, and the server's questions for it. A question waits until the
// caller sends `tasks/result`, the request on which a 2025-11-25 client is asked.
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/client';
import type { Clock, Timer } from '@tidings/live';
import type { OwnSession, ServerQuestion } from '@tidings/track/internal';
import { z } from 'zod';
import { admittedSize, refusedQuestion } from './question/question-limits.ts';

/** Sends a question to the caller's client. Rejects if the signal is aborted before the answer. */
export type PutQuestion = (question: ServerQuestion, signal: AbortSignal) => Promise<unknown>;

/** Keeps a caller's session for a task. Returns the session's id, and how to watch the task there. */
export type KeepTask = (taskId: string, ms: number) => Pick<OwnSession, 'watchTasks'> & { id: string };

interface PendingQuestion {
  readonly question: ServerQuestion;
  readonly size: number;
  /** How the question was sent to the client; undefined while it waits for a client. */
  out: { readonly put: PutQuestion; readonly withdraw: AbortController } | undefined;
  answer(this: void, response: unknown): void;
  refuse(this: void, error: unknown): void;
}

const relatedSchema = z.looseObject({ [RELATED_TASK_META_KEY]: z.object({ taskId: z.string() }) });

/** The id of the task that a question names, if any. */
export function relatedTask({ params }: ServerQuestion): string | undefined {
  return relatedSchema.safeParse(params?._meta).data?.[RELATED_TASK_META_KEY].taskId;
}

export class OwnTask {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #pending = new Set<PendingQuestion>();
  readonly #puts = new Set<PutQuestion>();
  #limit: Timer | undefined;
  #hasEnded = false;

  /** `patienceMs`: how long a question waits for its answer. */
  constructor(clock: Clock, patienceMs: number) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** Whether the caller knows of the task. A server may ask for a task before that. */
  get isKept(): boolean {
    return this.#limit !== undefined;
  }

  /** Whether the server waits for answers. */
  get isAsking(): boolean {
    return this.#pending.size > 0;
  }

  keep(ms: number, over: () => void): void {
    this.#limit?.cancel();
    this.#limit = this.#clock.after(ms, over);
  }

  ask(question: ServerQuestion, signal: AbortSignal): Promise<unknown> {
    if (this.#hasEnded) throw refusedQuestion('The task that this belonged to has ended.');
    const size = admittedSize(question, this.#pending);
    return new Promise((resolve, reject) => {
      const withdraw = () => pending.refuse(refusedQuestion('Cancelled.'));
      const late = this.#clock.after(this.#patienceMs, () => pending.refuse(tooLate(this.#patienceMs)));
      const close = () => {
        late.cancel();
        signal.removeEventListener('abort', withdraw);
        this.#pending.delete(pending);
        pending.out?.withdraw.abort();
      };
      const pending: PendingQuestion = {
        question,
        size,
        out: undefined,
        answer: (response) => {
          close();
          resolve(response);
        },
        refuse: (error) => {
          close();
          reject(error);
        },
      };
      this.#pending.add(pending);
      signal.addEventListener('abort', withdraw, { once: true });
      if (signal.aborted) withdraw();
      else this.#put(pending);
    });
  }

  /** Sends questions to the caller from now on, since it awaits the result. Returns a function that stops this. */
  listen(put: PutQuestion): () => void {
    this.#puts.add(put);
    for (const pending of this.#pending) this.#put(pending);
    return () => {
      this.#puts.delete(put);
      for (const { out } of this.#pending) if (out?.put === put) out.withdraw.abort();
    };
  }

  end(): void {
    this.#hasEnded = true;
    this.#limit?.cancel();
    for (const pending of this.#pending) pending.refuse(refusedQuestion('The task has ended.'));
  }

  #put(pending: PendingQuestion): void {
    const [put] = this.#puts;
    if (put === undefined || pending.out !== undefined) return;
    const withdraw = new AbortController();
    pending.out = { put, withdraw };
    put(pending.question, withdraw.signal).then(pending.answer, (error: unknown) => {
      if (!this.#pending.has(pending)) return;
      if (this.#puts.has(put)) return pending.refuse(error);
      // The client has left this request: the question is sent again on the next one.
      pending.out = undefined;
      this.#put(pending);
    });
  }
}

function tooLate(ms: number): Error {
  return refusedQuestion(
    `There was no answer within ${ms / 1000} s: the client has not asked for the result of the task.`,
  );
}
