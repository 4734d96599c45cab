// Waits for a condition instead of an amount of time.
import { foregroundClock } from '../time/clock.ts';
import { delay } from '../time/delay.ts';
import { withTimeout } from '../time/timeout.ts';

/** The pause between checks grows up to this, because many checks send a request. */
const longestPauseMs = 20;

/**
 * Less than the 5 seconds after which vitest and jest end a test, so that the failure says what was awaited. Projects
 * with a longer timeout set TIDINGS_TEST_PATIENCE_MS.
 */
function defaultPatienceMs(): number {
  return Number(process.env['TIDINGS_TEST_PATIENCE_MS'] ?? 4000);
}

/**
 * Resolves with the first value that is neither `undefined` nor `false`; rejects when `patienceMs` have passed.
 *
 * @example
 * await eventually('the note to be stored', () => notes.has('today'));
 */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  patienceMs = defaultPatienceMs(),
): Promise<T> {
  const deadline = foregroundClock.now() + patienceMs;
  const tooLate = () => new Error(`Not within ${patienceMs} ms: ${what}`);
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    // A check that never answers counts against the time too.
    const leftMs = Math.max(1, deadline - foregroundClock.now());
    const value = await withTimeout(foregroundClock, leftMs, Promise.resolve(check()), tooLate);
    if (value !== undefined && value !== false) return value;
    if (foregroundClock.now() > deadline) throw tooLate();
    await delay(foregroundClock, pauseMs);
  }
}
