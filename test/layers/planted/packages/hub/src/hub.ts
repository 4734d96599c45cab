// Has to be reported: Layer rule: hub.ts is stage 5 of the hub and imports only earlier stages.
export { exposure } from './setup/exposure.ts';
