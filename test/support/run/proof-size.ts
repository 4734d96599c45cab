// The size of a run: `npm test` runs one variant of tests that share a mechanism, `npm run prove` the other variants,
// `npm run prove -- --whole` all sizes.
export const isWhole = process.env['TIDINGS_PROOFS'] === 'whole';

/** The share of the variants that a project of vitest.config.ts runs: `prove`, or that of `npm test`. */
export const shareVariable = 'TIDINGS_TEST_SHARE';

/** The variants of a mechanism that this run tests. A file that uses this is in `shared` of vitest.config.ts. */
export function variants<T>({ test, prove }: { test: readonly T[]; prove: readonly T[] }): readonly T[] {
  return process.env[shareVariable] === 'prove' ? prove : test;
}
