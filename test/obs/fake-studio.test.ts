import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { describe } from 'vitest';
import { variants } from '../support/run/proof-size.ts';
import { studioSuite } from './studio-cases.ts';

/** The newest and the oldest version; test/load/obs-versions.test.ts has those between. */
const versions = variants({ test: ['5.7.0'], prove: ['5.0.0'] });

describe.each(versions)('the studio of a fake OBS with obs-websocket %s', (version) => {
  studioSuite(() => FakeObs.started({ version }));
});
