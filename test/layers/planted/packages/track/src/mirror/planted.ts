// Has to be reported: Layer rule: mirror/ is stage 5 of the tracker and imports only earlier stages.
export { Journal } from '../journal/journal.ts';
