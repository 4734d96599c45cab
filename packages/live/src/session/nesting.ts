// Bounds the nesting depth of a message. Validators and JSON.stringify recurse: some thousand levels overflow their
// stack, and an odd message would look like a failure of the server.
import { LiveError } from '../base/error.ts';

/** How deep a message may nest, from a client or from a server. */
export const maxMessageLevels = 1000;

/** The error for a message that nests too deep. A short text cannot nest that deep, and is not inspected. */
export function tooDeep(message: unknown, textLength = Number.POSITIVE_INFINITY): LiveError | undefined {
  if (textLength < 2 * maxMessageLevels || !isDeeperThan(message, maxMessageLevels)) return undefined;
  return new LiveError('INVALID_PARAMS', `A message may nest at most ${maxMessageLevels} levels deep.`);
}

/** Whether lists and objects nest deeper than `levels`. Goes level by level, without recursion. */
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
