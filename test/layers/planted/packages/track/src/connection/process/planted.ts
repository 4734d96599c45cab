// Has to be reported: Layer rule: connection/ is stage 3 of the tracker and imports only earlier stages.
export { Journal } from '../../journal/journal.ts';
