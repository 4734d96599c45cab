// Checks before each delivery to one stream whether its caller may still read the resource. A check that does not
// answer at once delays only its own resource.
import type { Clock } from '../time/clock.ts';
import { withTimeout } from '../time/timeout.ts';
import type { Log } from '../base/log.ts';
import type { Subject } from './watched.ts';

export type Permit = (subject: Subject) => boolean | Promise<boolean>;
type PermissionVerdict = 'granted' | 'refused' | 'waiting';

/** The time limit of one check, and the pause after a failed one. */
const patienceMs = 10_000;
const retryMs = 1000;

export class PermissionChecks {
  readonly #permit: Permit;
  readonly #clock: Clock;
  readonly #log: Log;
  /** Results that arrived after their check, until they are used; and checks in progress. */
  readonly #late = new Map<Subject, boolean>();
  readonly #asking = new Map<Subject, Promise<void>>();

  constructor(permit: Permit, clock: Clock, log: Log) {
    this.#permit = permit;
    this.#clock = clock;
    this.#log = log;
  }

  /** When the verdict is `waiting`, `askAgain` is called as soon as a new check makes sense. */
  ask(subject: Subject, askAgain: () => void): PermissionVerdict {
    const late = this.#late.get(subject);
    if (late !== undefined) {
      this.#late.delete(subject);
      return late ? 'granted' : 'refused';
    }
    if (this.#asking.has(subject)) return 'waiting';
    const answer = this.#answer(subject);
    if (typeof answer === 'boolean') return answer ? 'granted' : 'refused';
    const asking = withTimeout(this.#clock, patienceMs, answer, noAnswer).then(
      (granted) => {
        this.#asking.delete(subject);
        this.#late.set(subject, granted);
        askAgain();
      },
      (error: unknown) => {
        this.#asking.delete(subject);
        // A failed check is not a denial: the update stays pending and is checked again.
        this.#log.error({ err: error, subject }, 'authorize failed; asking again.');
        this.#clock.after(retryMs, askAgain);
      },
    );
    this.#asking.set(subject, asking);
    return 'waiting';
  }

  async idle(): Promise<void> {
    await Promise.all(this.#asking.values());
  }

  #answer(subject: Subject): boolean | Promise<boolean> {
    try {
      return this.#permit(subject);
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

function noAnswer(): Error {
  return new Error(`No answer within ${patienceMs} ms.`);
}
