// A violation on purpose: stage 2 imports stage 4. scripts/check.js fails when the rule misses it.
export { LegacySubscriptions } from '../../../../../../../packages/live/src/session/legacy/subscriptions.ts';
