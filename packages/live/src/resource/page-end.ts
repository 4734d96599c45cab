// The end of a page of a list, and how to find it again in a list that may have changed since. It is identified by its
// last entry. In case that entry is gone, some entries before it are named too: continuing after one of those skips
// nothing.
import { z } from 'zod';

export const pageEndSchema = z.strictObject({
  /** The number of entries of the list up to here. */
  n: z.int().nonnegative(),
  /** The last URI of the page. */
  u: z.string(),
  /** Some URIs before the last, in order. */
  p: z.array(z.string()),
});

type PageEnd = z.infer<typeof pageEndSchema>;

/** How many entries before the last are stored in the cursor, unless their URIs are long. */
const maxBefore = 7;
const maxBeforeLength = 1024;
/** How many entries to hold back while searching for a later named one. */
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

/** How many of these items to skip; undefined if no named entry is left. */
export function indexAfter<T>(items: readonly T[], nameOf: (item: T) => string, end: PageEnd): number | undefined {
  const there = items[end.n - 1];
  // The usual case: the list has not changed before this point.
  if (there !== undefined && nameOf(there) === end.u) return end.n;
  const indexes = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const name = nameOf(item);
    // If a name occurs twice, its first index is used: an entry may then be repeated, but none is omitted.
    if (!indexes.has(name)) indexes.set(name, index + 1);
  }
  const known = [...end.p, end.u].findLast((name) => indexes.has(name));
  return known === undefined ? undefined : indexes.get(known);
}

/**
 * The items after the page end, each with its position in the list. Walks the list once; what follows a named entry is
 * held back until no later named entry can follow. Throws `expired()` if no named entry is left.
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
    // If several entries have the last one's name, the one at the same position is meant.
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
