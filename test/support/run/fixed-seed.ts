// Vitest's setup file: seeds the generated cases of fast-check.
import fc from 'fast-check';
import { testSeed } from './test-seed.ts';

fc.configureGlobal({ seed: testSeed });
