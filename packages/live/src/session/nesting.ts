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

/** Whether lists and objects are nested in each other more than so many times. Level by level, so it does not recurse. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let here = isContainer(value) ? [value] : [];
  for (let level = 0; here.length > 0; level += 1) {
    if (level >= levels) return true;
    const inside: object[] = [];
    for (const container of here) {
      const items: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
      for (const item of items) if (isContainer(item)) inside.push(item);
    }
    here = inside;
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
