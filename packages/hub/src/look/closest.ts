// The few names that somebody who typed another one may have meant.

const most = 3;

export function closest(typed: string, names: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  // Worse than this is a different name, not a slip.
  const limit = Math.max(2, Math.floor(typed.length * 0.3));
  return names
    .map((name) => ({ name, slips: slipsBetween(wanted, name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= limit || (wanted.length > 2 && name.toLowerCase().includes(wanted)))
    .sort((a, b) => a.slips - b.slips)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Letters to add, remove or exchange to get from one to the other. */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const [over = 0, above = 0, left = 0] = [row[j], row[j + 1], next[j]];
      next.push(Math.min(above + 1, left + 1, over + (a[i] === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
