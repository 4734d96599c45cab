// A bound on how deep a message nests. Validators and JSON.stringify recurse: some thousand levels end
// their stack, and what is only an odd message would look like a failure of the server.
import { LiveError } from '../error.ts';

/** How deep a message may nest, from a client or from a server. */
export const maxMessageLevels = 1000;

/** The reason to refuse this message, if it nests too deep. A short text cannot, and is not looked through. */
export function tooDeep(message: unknown, textLength = Number.POSITIVE_INFINITY): LiveError | undefined {
  if (textLength < 2 * maxMessageLevels || !isDeeperThan(message, maxMessageLevels)) return undefined;
  return new LiveError('INVALID_PARAMS', `A message may nest at most ${maxMessageLevels} levels deep.`);
}

/** Whether lists and objects are nested in each other more than so many times. Does not recurse itself. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  /** What is still to be looked at, from the outermost level to the innermost. */
  const open: Iterator<unknown>[] = [[value].values()];
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const next = innermost.next();
    if (next.done === true) {
      open.pop();
    } else if (typeof next.value === 'object' && next.value !== null) {
      if (open.length > levels) return true;
      open.push(Object.values(next.value).values());
    }
  }
  return false;
}
