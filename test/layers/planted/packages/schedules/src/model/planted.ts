// Has to be reported: Layer rule: model/ is stage 0 of schedules and imports only earlier stages.
export { Destinations } from '../source/destination/destinations.ts';
