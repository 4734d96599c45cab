// A violation on purpose: completion/ imports another folder of its stage. scripts/check.js fails when the rule misses it.
export { history } from '../../../../../../../packages/hub/src/watch/history.ts';
