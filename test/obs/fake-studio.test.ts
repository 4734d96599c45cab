import { describe } from 'vitest';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { studioSuite } from './studio-cases.ts';

async function startFake(options: ConstructorParameters<typeof FakeObs>[0]): Promise<FakeObs> {
  const obs = new FakeObs(options);
  await obs.start();
  return obs;
}

describe.each(['5.0.0', '5.1.0', '5.4.2', '5.7.0'])('the studio of a fake OBS with obs-websocket %s', (version) => {
  studioSuite(() => startFake({ version }));
});

describe('the studio of a fake OBS whose events come after its answers', () => {
  studioSuite(async () => {
    const obs = await startFake({});
    obs.order = 'answers first';
    return obs;
  });
});
