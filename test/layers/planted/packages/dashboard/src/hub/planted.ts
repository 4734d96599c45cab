// Has to be reported: Layer rule: hub/ is stage 0 of the dashboard and imports only earlier stages.
export { Timeline } from '../state/timeline.ts';
