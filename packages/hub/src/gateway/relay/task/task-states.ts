// Tasks whose callers have been asked something: maps the state in a caller's answer to its task. A state is valid for
// one answer of the principal whose call it was. The answer may arrive at another node than the question; there too,
// `sealed-states.ts` has verified that the state was given to this caller for this tool.
import { randomBytes } from 'node:crypto';
import { type Clock, LiveError, type Timer } from '@tidings/live';
import { hasShare } from '../fair-share.ts';

const mostStates = 1000;
const pattern = /^tidings-task (\w+) (\w+) ([^]*)$/;

interface AskingTask {
  serverId: string;
  tool: string;
  subject: string | undefined;
  taskId: string;
}

interface Patience {
  patienceMs: number;
  /** Aborted when the caller has left; undefined if that cannot be known. */
  left?: AbortSignal | undefined;
  expired(this: void): void;
}

export class TaskStates {
  readonly #clock: Clock;
  /** Differs for every process. */
  readonly #life = randomBytes(6).toString('hex');
  readonly #states = new Map<string, { task: AskingTask; stopWaiting(this: void): void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#states.size;
  }

  /**
   * Returns the state that the caller sends back with its answer. Calls `expired` if the caller does not answer in
   * time, or leaves before.
   */
  add(task: AskingTask, { patienceMs, left, expired }: Patience): string {
    const { length: own } = [...this.#states.values()].filter(({ task: { subject } }) => subject === task.subject);
    if (!hasShare(mostStates, { own, all: this.#states.size })) {
      const message = `You have ${own} tasks that wait for your answer, which is your share of the ${mostStates} of this hub: answer some, or try again later.`;
      throw new LiveError('LIMIT_EXCEEDED', message);
    }
    const state = `tidings-task ${this.#life} ${randomBytes(16).toString('hex')} ${task.taskId}`;
    const giveUp = () => {
      stopWaiting();
      if (this.#states.delete(state)) expired();
    };
    const timer: Timer = this.#clock.after(patienceMs, giveUp);
    const stopWaiting = () => {
      timer.cancel();
      left?.removeEventListener('abort', giveUp);
    };
    this.#states.set(state, { task, stopWaiting });
    left?.addEventListener('abort', giveUp, { once: true });
    if (left?.aborted) giveUp();
    return state;
  }

  /**
   * The task of a state; undefined for a state of another kind. Throws if the state was used or belongs to another
   * caller.
   */
  take(state: string | undefined, call: Omit<AskingTask, 'taskId'>): string | undefined {
    const [given, life, , taskId] = pattern.exec(state ?? '') ?? [];
    if (given === undefined) return undefined;
    if (life !== this.#life) return taskId;
    const kept = this.#states.get(given);
    const { serverId, tool, subject } = call;
    const isTheirs =
      kept !== undefined && kept.task.serverId === serverId && kept.task.tool === tool && kept.task.subject === subject;
    if (!isTheirs) {
      const message =
        'There is no such task that waits for an answer: it was answered, took too long, or the hub was restarted. Call the tool again.';
      throw new LiveError('INVALID_PARAMS', message);
    }
    kept.stopWaiting();
    this.#states.delete(given);
    return kept.task.taskId;
  }

  close(): void {
    for (const { stopWaiting } of this.#states.values()) stopWaiting();
    this.#states.clear();
  }
}
