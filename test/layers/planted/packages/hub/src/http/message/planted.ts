// Has to be reported: Layer rule: message/ is stage 1 of http/ and imports only earlier stages.
export { Api } from '../route/api.ts';
