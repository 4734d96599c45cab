// A violation on purpose: stage 0 imports stage 2. scripts/check.js fails when the rule misses it.
export { recordCommand } from '../../../../../../../packages/hub/src/audit/record-command.ts';
