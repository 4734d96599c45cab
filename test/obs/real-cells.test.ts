import { describeWith } from '../support/run/needs.ts';
import { RealObs, obsNeed } from '../support/service/real-obs.ts';
import { cellStory } from './cell-story.ts';

describeWith(obsNeed, 'a real OBS, seen by', () => {
  cellStory(() => RealObs.start());
});
