// The message of an expected error.
import { LiveError } from '../base/error.ts';

/**
 * The message of the error that `act` throws for invalid input; fails if it accepts the input or throws another
 * error.
 *
 * @example
 * expect(refusalOf(() => parse('x'))).toBe('Give a number.');
 */
export function refusalOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof LiveError && error.code === 'INVALID_PARAMS') return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
}
