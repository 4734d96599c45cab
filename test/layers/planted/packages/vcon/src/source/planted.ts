// Has to be reported: Layer rule: source/ is stage 1 of vcon and imports only earlier stages.
export { resources } from '../resources/resources.ts';
