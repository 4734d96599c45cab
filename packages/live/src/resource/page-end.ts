// Where a page of a list ended, and how to find that position again in a list that may have changed since. The position is
// named by the last entry. In case that one is gone, the page end also names some entries before it: going on after
// one of those skips nothing.
import { z } from 'zod';

export const pageEndSchema = z.strictObject({
  /** How many entries of the list came before the next page. */
  n: z.int().nonnegative(),
  /** The last URI of the page. */
  u: z.string(),
  /** Some URIs before it, in order. */
  p: z.array(z.string()),
});

export type PageEnd = z.infer<typeof pageEndSchema>;

/** How many entries before the last are named, unless their names are long. */
const maxBefore = 7;
const maxBeforeLength = 1024;
/** How many entries to hold back while looking for a later position to go on after. */
const maxHeldBack = 1000;

/** `names` are the entries of the page; `n` counts all entries of the list up to the last of them. */
export function pageEnd(n: number, names: readonly string[]): PageEnd {
  const before: string[] = [];
  let length = 0;
  for (const name of names.slice(-1 - maxBefore, -1).toReversed()) {
    length += name.length;
    if (length > maxBeforeLength) break;
    before.unshift(name);
  }
  return { n, u: names.at(-1) ?? '', p: before };
}

/** How many of these items to skip; undefined if every entry that the page end names is gone. */
export function indexAfter<T>(items: readonly T[], nameOf: (item: T) => string, end: PageEnd): number | undefined {
  const there = items[end.n - 1];
  // The usual case: nothing has moved.
  if (there !== undefined && nameOf(there) === end.u) return end.n;
  const indexes = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const name = nameOf(item);
    // Of a name that is there twice, the first: an entry may come twice, but none is left out.
    if (!indexes.has(name)) indexes.set(name, index + 1);
  }
  const known = [...end.p, end.u].findLast((name) => indexes.has(name));
  return known === undefined ? undefined : indexes.get(known);
}

/**
 * The items after the page end, each with how many came before and itself. Goes through the list once, and holds back
 * only what follows a named entry until it is clear that no later one is still to come. Throws what `expired` makes
 * if every entry that the page end names is gone.
 */
export async function* itemsAfter<T>(
  items: Iterable<T> | AsyncIterable<T>,
  nameOf: (item: T) => string,
  end: PageEnd,
  expired: () => Error,
): AsyncGenerator<[item: T, count: number]> {
  const ranks = new Map([...end.p, end.u].map((name, rank) => [name, rank]));
  const lastRank = ranks.get(end.u);
  let found: number | undefined;
  let heldBack: [T, number][] = [];
  let isSettled = false;
  let count = 0;
  for await (const item of items) {
    count += 1;
    if (isSettled) {
      yield [item, count];
      continue;
    }
    const rank = ranks.get(nameOf(item));
    // Where it stood before, the last entry is the right one of several with its name.
    const isLater =
      rank !== undefined && (found === undefined || rank > found || (rank === lastRank && count === end.n));
    if (isLater) {
      found = rank;
      heldBack = [];
    } else if (found !== undefined) {
      heldBack.push([item, count]);
    }
    isSettled = found !== undefined && ((found === lastRank && count >= end.n) || heldBack.length >= maxHeldBack);
    if (!isSettled) continue;
    yield* heldBack;
    heldBack = [];
  }
  if (found === undefined) throw expired();
  yield* heldBack;
}
