import type { Need } from './needs.ts';

/**
 * A need of a program that takes long to start or to run. `TIDINGS_TEST_WITHOUT=services` counts these programs as
 * missing, for a quick run.
 */
export function serviceNeed(need: Need): Need {
  return { ...need, isThere: need.isThere && process.env['TIDINGS_TEST_WITHOUT'] !== 'services' };
}
