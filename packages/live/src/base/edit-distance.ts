// The edit distance behind "Did you mean …?".

/** How many characters must be added, removed or replaced to turn one text into the other (Levenshtein). */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let index = 0; index < one.length; index += 1) {
    const next = [index + 1];
    for (let column = 0; column < other.length; column += 1) {
      const [replaced = 0, removed = 0, added = 0] = [row[column], row[column + 1], next[column]];
      next.push(Math.min(removed + 1, added + 1, replaced + (one[index] === other[column] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
