// Has to be reported: Layer rule: access/ is stage 2 of the hub and imports only earlier stages.
export { exposure } from '../setup/exposure.ts';
