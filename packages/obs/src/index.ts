export type { ObsSettings } from './open-obs.ts';
export { openObs } from './open-obs.ts';
