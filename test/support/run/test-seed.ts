/**
 * The seed of all generated cases. It is the same in every run, so that a failure concerns the change that it came
 * with, unless `npm run prove -- --seed` or TIDINGS_FUZZ_SEED sets another number.
 */
export const testSeed = Number(process.env['TIDINGS_FUZZ_SEED'] ?? 20_260_728);
