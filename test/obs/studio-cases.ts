// The suite that runs on the fake and on a real OBS.
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ObsUnderTest } from '../support/service/obs-under-test.ts';
import { arrangementCases } from './arrangement-cases.ts';
import { deviceCases } from './device-cases.ts';
import { healingCases } from './healing-cases.ts';
import { sceneCases } from './scene-cases.ts';
import { sourceCases } from './source-cases.ts';
import { toolCases } from './tool-cases.ts';
import { watchedCases } from './watched-cases.ts';
import { Workbench } from './workbench.ts';

/** All cases share one OBS: starting it takes long, and the other cases leave content, as in a studio in use. */
export function studioSuite(start: () => Promise<ObsUnderTest>): void {
  for (const [what, cases] of Object.entries({
    scenes: sceneCases,
    sources: [...sourceCases, ...deviceCases],
    tools: [...toolCases, ...watchedCases, ...arrangementCases],
    healing: healingCases,
  })) {
    describe(what, () => {
      let obs: ObsUnderTest | undefined;
      let bench: Workbench | undefined;

      beforeAll(async () => {
        obs = await start();
        bench = await Workbench.connected(obs, { pollMs: 100 });
      }, 90_000);

      afterAll(async () => {
        await bench?.[Symbol.asyncDispose]();
        await obs?.[Symbol.asyncDispose]();
      });

      for (const { name, run } of cases) {
        it(name, async () => {
          if (bench) await run(bench);
        });
      }
    });
  }
}
