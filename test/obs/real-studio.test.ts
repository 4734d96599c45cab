import { describeWith } from '../support/needs.ts';
import { RealObs, obsNeed } from '../support/real-obs.ts';
import { studioSuite } from './studio-cases.ts';

describeWith(obsNeed, 'the studio of a real OBS', () => {
  studioSuite(() => RealObs.start());
});
