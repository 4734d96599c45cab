import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { describe } from 'vitest';
import { studioSuite } from './studio-cases.ts';

// The oldest and the newest; test/load/obs-versions.test.ts has those between.
describe.each(['5.0.0', '5.7.0'])('the studio of a fake OBS with obs-websocket %s', (version) => {
  studioSuite(() => FakeObs.started({ version }));
});
