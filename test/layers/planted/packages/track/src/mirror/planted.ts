// A violation on purpose: stage 4 imports stage 5. scripts/check.js fails when the rule misses it.
export { Journal } from '../../../../../../../packages/track/src/journal/journal.ts';
