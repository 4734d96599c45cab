// A bound on how deep a message nests. Validators recurse: some ten thousand levels end their stack,
// and what is only an odd message would look like a failure of the server.
import { LiveError } from '../error.ts';

const maxLevels = 1000;

/** The reason to refuse this message, if it nests too deep. A short text cannot, and is not looked through. */
export function tooDeep(message: unknown, textLength = Number.POSITIVE_INFINITY): LiveError | undefined {
  if (textLength < 2 * maxLevels) return undefined;
  let level: unknown[] = [message];
  for (let depth = 0; depth <= maxLevels; depth += 1) {
    if (level.length === 0) return undefined;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return new LiveError('INVALID_PARAMS', `A message may nest at most ${maxLevels} levels deep.`);
}
