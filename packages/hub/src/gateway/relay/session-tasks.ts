// The tasks of one caller's own session, by the server's ids: their calls have ended, but their servers may still ask.
// A question names its task, so other calls may use the session meanwhile.
import type { Clock } from '@tidings/live';
import type { ServerQuestion } from '@tidings/track/internal';
import type { Asking } from './question/held-call.ts';
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

  /** Keeps a task; calls `over` after `ms`. */
  keep(id: string, ms: number, over: () => void): OwnTask {
    const task = this.#made(id);
    task.keep(ms, over);
    return task;
  }

  /**
   * The call in progress or the task that a question belongs to. `isTask`: the caller manages the task of this call
   * itself; for any other call, the hub awaits the task.
   */
  asking(question: ServerQuestion, call: Asking | undefined, isTask: boolean): Asking | undefined {
    const id = relatedTask(question);
    // The first question may come before the answer with the new task.
    if (id !== undefined && (this.#tasks.has(id) || (call && isTask && this.size < mostTasks))) return this.#made(id);
    const [only, ...others] = this.#tasks.values();
    return call ?? (others.length === 0 ? only : undefined);
  }

  end(id: string): void {
    this.#tasks.get(id)?.end();
    this.#tasks.delete(id);
  }

  /** Call it when the call has ended: ends the tasks that were not kept by then. */
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
