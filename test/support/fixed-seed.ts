// Vitest's setup file: generated cases are the same in every run, so that a failure concerns the change it came with.
//   TIDINGS_FUZZ_SEED=random   other cases; a failure prints its seed
//   TIDINGS_FUZZ_SEED=…        the cases of that seed
import fc from 'fast-check';

const suiteSeed = 20_260_728;
const { TIDINGS_FUZZ_SEED: seed } = process.env;

if (seed !== 'random') fc.configureGlobal({ seed: Number(seed ?? suiteSeed) });
