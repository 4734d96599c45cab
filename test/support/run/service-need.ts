import type { Need } from './needs.ts';

/** Whether programs that take long to start or to run count as missing, for a quick run. */
const isWithoutServices = process.env['TIDINGS_TEST_WITHOUT'] === 'services';

/** A need for such a program. */
export function serviceNeed(need: Need): Need {
  return { ...need, isThere: need.isThere && !isWithoutServices };
}
