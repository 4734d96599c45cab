// Has to be reported: Layer rule: completion/ is stage 7 of the hub and imports only earlier stages.
export { history } from '../watch/history.ts';
