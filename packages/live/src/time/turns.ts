// Runs long work of many callers one step at a time. If each caller only awaited a turn of the event loop after each
// step, the steps of a hundred callers would all run in the same turn.
import { eventLoopTurn } from './clock.ts';
import { Serial } from './serial.ts';

/**
 * Runs the steps of many callers one after the other, with other events in between.
 *
 * @example
 * const turns = new Turns();
 * const converted = await turns.take(() => convert(row));
 */
export class Turns {
  readonly #steps = new Serial();

  /** Runs `step` after all earlier steps have ended and other events were handled. */
  take<T>(step: () => T | Promise<T>): Promise<T> {
    return this.#steps.run(async () => {
      await eventLoopTurn();
      return step();
    });
  }
}
