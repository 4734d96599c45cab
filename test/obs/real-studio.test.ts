import { describeWith } from '../support/run/needs.ts';
import { RealObs, obsNeed } from '../support/service/real-obs.ts';
import { studioSuite } from './studio-cases.ts';

describeWith(obsNeed, 'the studio of a real OBS', () => {
  studioSuite(() => RealObs.start());
});
