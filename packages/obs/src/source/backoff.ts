// How long to wait before the next attempt to connect.

const firstMs = 250;
const mostMs = 5000;

/** Doubles from a quarter of a second to five, and varies: many servers shall not knock together. */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(mostMs, firstMs * 2 ** Math.min(failures, 10));
  return ceiling * (0.5 + 0.5 * random());
}
