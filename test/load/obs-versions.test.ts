// The studio suite with versions between the oldest and the newest, and with events after answers.
import { describe } from 'vitest';
import { studioSuite } from '../obs/studio-cases.ts';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';

describe.each(['5.1.0', '5.4.2'])('the studio of a fake OBS with obs-websocket %s', (version) => {
  studioSuite(() => FakeObs.started({ version }));
});

describe('the studio of a fake OBS whose events come after its answers', () => {
  studioSuite(async () => {
    const obs = await FakeObs.started({});
    obs.order = 'answers first';
    return obs;
  });
});
