// The requirements of every engine, as cases for any test runner: `for (const { name, run } of storeCases) it(name, ()
// => run(openPlace))`.
import { announcingCases } from './announcing-cases.ts';
import { stateCases } from './state-cases.ts';
import type { StoreCase } from './store-case.ts';

export const storeCases: readonly StoreCase[] = [...stateCases, ...announcingCases];
