// Runs long work of many callers one step at a time. If each caller only awaited a turn of the event loop after each
// step, the steps of a hundred callers would all run in the same turn.
import { eventLoopTurn } from './clock.ts';

/**
 * Runs the steps of many callers one after the other, with other events in between.
 *
 * @example
 * const turns = new Turns();
 * const converted = await turns.take(() => convert(row));
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Runs `step` after all earlier steps have ended and other events were handled. */
  take<T>(step: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(eventLoopTurn).then(step);
    const ended = () => undefined;
    this.#last = result.then(ended, ended);
    return result;
  }
}
