// The number of delivery attempts, and the pauses between them.
import { refusal } from './refusal.ts';

export interface RetryRules {
  /** Including the first. */
  tries: number;
  /** The first pause; each further one is three times as long, up to an hour. */
  pauseMs: number;
}

/** Five tries: at once, and after about 5, 20, 65 and 200 seconds. */
export const usualRetries: RetryRules = { tries: 5, pauseMs: 5000 };

export const mostTries = 20;

export function checkTries(tries: number): number {
  if (Number.isInteger(tries) && tries >= 1 && tries <= mostTries) return tries;
  throw refusal(`A delivery can be tried 1 to ${mostTries} times, not ${tries}.`, '3, or 1 for a single try');
}
