// A bound that all callers share, so that none of them can use it up: each may have half of what the others leave.
//
//   32 together   one caller: 16   a second: 8   a third: 4   …

/** Whether a caller, who has `own` of the `all` in use, may take one more of `most`. */
export function hasShare(most: number, { own, all }: { own: number; all: number }): boolean {
  const left = most - (all - own);
  return own < Math.max(Math.floor(left / 2), Math.min(left, 1));
}
