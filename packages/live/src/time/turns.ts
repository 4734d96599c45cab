// Long work of many callers, one step at a time. A loop that only awaits a turn of the event loop after each of its
// steps is not enough: the steps of a hundred such loops would all run in the same turn.
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

  /** Runs `step` once all steps before it have ended, and other events have been handled since. */
  take<T>(step: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(eventLoopTurn).then(step);
    const ended = () => undefined;
    this.#last = result.then(ended, ended);
    return result;
  }
}
