// Breaks the rule that the contract needs no Node; see scripts/check.js.
export { once } from 'node:events';
