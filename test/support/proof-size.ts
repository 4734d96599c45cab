// How much is tried, and where: `npm test` one variant of what all have in common, `npm run prove` the other variants,
// `npm run prove -- --whole` every size.
export const isWhole = process.env['TIDINGS_PROOFS'] === 'whole';

/** Which share of the variants a project of vitest.config.ts has: `prove`, or that of `npm test`. */
export const shareVariable = 'TIDINGS_TEST_SHARE';

/** What this run tries, of variants of the same mechanism: a file that uses this is in `shared` of vitest.config.ts. */
export function variants<T>({ test, prove }: { test: readonly T[]; prove: readonly T[] }): readonly T[] {
  return process.env[shareVariable] === 'prove' ? prove : test;
}
