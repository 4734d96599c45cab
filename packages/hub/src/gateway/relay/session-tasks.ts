// The tasks of one session of a caller's own, by the server's ids: calls that have ended, whose servers may still ask.
// A question says to which task it belongs, so that other calls may use the session meanwhile.
import type { Clock } from '@tidings/live';
import type { ServerQuestion } from '@tidings/track/internal';
import type { Asking } from './held-call.ts';
import { OwnTask, relatedTask } from './own-task.ts';
import { legacyPatienceMs } from './patience.ts';

const mostTasks = 100;

export class SessionTasks {
  readonly #clock: Clock;
  readonly #tasks = new Map<string, OwnTask>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#tasks.size;
  }

  get(id: string): OwnTask | undefined {
    return this.#tasks.get(id);
  }

  /** `over` is called after this time. */
  keep(id: string, ms: number, over: () => void): OwnTask {
    const task = this.#made(id);
    task.keep(ms, over);
    return task;
  }

  /**
   * The call in progress or the task that a question belongs to. `isTask`: the caller will look after the task of this
   * call; of any other call, the hub awaits the task.
   */
  asking(question: ServerQuestion, call: Asking | undefined, isTask: boolean): Asking | undefined {
    const id = relatedTask(question);
    // The answer with the new task may come after its first question.
    if (id !== undefined && (this.#tasks.has(id) || (call && isTask && this.size < mostTasks))) return this.#made(id);
    const [only, ...others] = this.#tasks.values();
    return call ?? (others.length === 0 ? only : undefined);
  }

  end(id: string): void {
    this.#tasks.get(id)?.end();
    this.#tasks.delete(id);
  }

  /** The call has ended: what has not become a task by now is none. */
  endUnknown(): void {
    for (const [id, task] of this.#tasks) if (!task.isKept) this.end(id);
  }

  close(): void {
    for (const id of this.#tasks.keys()) this.end(id);
  }

  #made(id: string): OwnTask {
    const task = this.#tasks.get(id) ?? new OwnTask(this.#clock, legacyPatienceMs);
    this.#tasks.set(id, task);
    return task;
  }
}
