import { describeWith } from '../support/needs.ts';
import { RealObs, obsNeed } from '../support/real-obs.ts';
import { cellStory } from './cell-story.ts';

describeWith(obsNeed, 'a real OBS, seen by', () => {
  cellStory(() => RealObs.start());
});
