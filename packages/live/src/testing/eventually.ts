// Waiting for a condition instead of for an amount of time.
import { foregroundClock } from '../time/clock.ts';
import { delay } from '../time/delay.ts';

/** Checks follow each other ever more slowly: many of them start a request. */
const longestPauseMs = 20;

/** Slow machines may need more; tests that expect to wait in vain want less. */
function defaultPatienceMs(): number {
  return Number(process.env['TIDINGS_TEST_PATIENCE_MS'] ?? 10_000);
}

/** Resolves with the first value that is neither `undefined` nor `false`; rejects when patience ends. */
export async function eventually<T>(
  what: string,
  check: () => T | undefined | false | Promise<T | undefined | false>,
  patienceMs = defaultPatienceMs(),
): Promise<T> {
  const deadline = foregroundClock.now() + patienceMs;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (foregroundClock.now() > deadline) throw new Error(`Not within ${patienceMs} ms: ${what}`);
    await delay(foregroundClock, pauseMs);
  }
}
