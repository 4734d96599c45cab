// Has to be reported: Layer rule: base/ is stage 1 of the kit and imports only earlier stages.
export { LiveServer } from '../live-server.ts';
