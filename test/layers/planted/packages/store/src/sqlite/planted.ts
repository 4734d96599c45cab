// Has to be reported: Layer rule: sqlite/ is stage 1 of the store and imports only earlier stages.
export { lockFolder } from '../lock-folder.ts';
