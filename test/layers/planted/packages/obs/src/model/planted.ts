// Has to be reported: Layer rule: model/ is stage 0 of obs and imports only earlier stages.
export { ObsSession } from '../source/obs-session.ts';
