// A violation on purpose: stage 2 imports stage 5. scripts/check.js fails when the rule misses it.
export { exposure } from '../../../../../../../packages/hub/src/setup/exposure.ts';
