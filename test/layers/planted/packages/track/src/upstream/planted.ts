// Has to be reported: Layer rule: upstream/ is stage 7 of the tracker and imports only earlier stages.
export { Tracker } from '../tracker.ts';
