// Has to be reported: Layer rule: feed/ is stage 2 of the kit and imports only earlier stages.
export { LegacySubscriptions } from '../session/legacy/subscriptions.ts';
