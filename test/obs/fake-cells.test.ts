import { describe } from 'vitest';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { cellStory } from './cell-story.ts';

describe('a fake OBS, seen by', () => {
  cellStory(async () => {
    const obs = new FakeObs();
    await obs.start();
    return obs;
  });
});
