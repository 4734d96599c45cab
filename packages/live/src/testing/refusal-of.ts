// The message of a refusal.
import { LiveError } from '../error.ts';

/** The message with which `act` refuses what it was given; fails if it takes it, or breaks over it. */
export function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof LiveError && error.code === 'INVALID_PARAMS') return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
}
