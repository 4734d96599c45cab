// The chain of an error and its causes: fetch and the SDK each wrap the original error.

/** A chain can be a circle. */
const longest = 10;

/** The error, then its causes, the innermost last. Empty for a value that is no error. */
export function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let each = error; each instanceof Error && chain.length < longest; each = each.cause) chain.push(each);
  return chain;
}
