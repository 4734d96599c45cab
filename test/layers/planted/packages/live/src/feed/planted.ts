// Has to be reported: Layer rule: feed/ is stage 3 of the kit and imports only earlier stages.
export { LegacySubscriptions } from '../session/legacy/subscriptions.ts';
