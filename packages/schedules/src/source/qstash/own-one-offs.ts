// The one-offs that this process created or cancelled. They appear in QStash's log with a delay, but a read after the
// announcement must find them; and the log may drop them before they are due.
import type { OneOff } from '../../model/schedule.ts';
import type { LoggedOneOff } from './one-off-log.ts';

export interface OneOffAt {
  topic: string;
  oneOff: OneOff;
}

/** The longest delay of the log. */
const longestLagMs = 60 * 60_000;

export class OwnOneOffs {
  readonly #made = new Map<string, OneOffAt>();
  /** The cancelled ones, with the time after which they can be forgotten. */
  readonly #cancelled = new Map<string, number>();

  made(topic: string, oneOff: OneOff): void {
    this.#made.set(oneOff.notification_id, { topic, oneOff });
  }

  cancelled(id: string, now: number): void {
    this.#made.delete(id);
    this.#cancelled.set(id, now + longestLagMs);
  }

  /** The one-offs of the log, and those that are not in the log yet or any more. */
  join(logged: readonly LoggedOneOff[], now: number): OneOffAt[] {
    this.#forget(now);
    const inLog = new Set(logged.map(({ id }) => id));
    const fromLog = logged.flatMap(({ id, topic, oneOff }) =>
      oneOff === undefined || this.#cancelled.has(id) ? [] : [{ topic, oneOff }],
    );
    const notInLog = [...this.#made].flatMap(([id, made]) => (inLog.has(id) ? [] : [made]));
    return [...fromLog, ...notInLog];
  }

  #forget(now: number): void {
    for (const [id, { oneOff }] of this.#made) if (Date.parse(oneOff.due) <= now) this.#made.delete(id);
    for (const [id, until] of this.#cancelled) if (until <= now) this.#cancelled.delete(id);
  }
}
