// A scene switch in a real OBS is shown in the resource, the timeline and the transcript of agents.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tidings/live/testing';
import { OBSWebSocket } from 'obs-websocket-js/json';
import { expect, it, onTestFinished } from 'vitest';
import { TidingsProcess } from '../cli/tidings-process.ts';
import { describeWith } from '../support/run/needs.ts';
import { RealObs, obsNeed } from '../support/service/real-obs.ts';
import { chromiumNeed, openPage, sharedBrowser } from './open-page.ts';

const bothNeeds = {
  what: `${obsNeed.what} and ${chromiumNeed.what}`,
  isThere: obsNeed.isThere && chromiumNeed.isThere,
  install: obsNeed.install,
};

describeWith(bothNeeds, 'the dashboard with OBS', () => {
  it('shows a scene switch', { timeout: 120_000 }, async () => {
    await using obs = await RealObs.start();
    const hand = new OBSWebSocket();
    await hand.connect(obs.url, obs.password);
    onTestFinished(() => hand.disconnect());
    await hand.call('CreateScene', { sceneName: 'Break' });
    const data = await mkdtemp(join(tmpdir(), 'tidings-dashboard-'));
    onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }));
    const env = { TIDINGS_OBS_URL: obs.url, TIDINGS_OBS_PASSWORD: obs.password };
    const hub = new TidingsProcess(['up', '--port', '0', '--data', data, '--json'], { env });
    const { url }: { url: string } = JSON.parse(await hub.line());
    await using opened = await openPage(await sharedBrowser(), `${url}/#/resources?server=obs&uri=obs%3A%2F%2Fstatus`);
    const { page } = opened;
    await page.getByRole('treeitem', { name: 'Break' }).waitFor();
    await page.getByText('"Scene"').first().waitFor();
    await hand.call('SetCurrentProgramScene', { sceneName: 'Break' });
    await page.getByRole('region', { name: 'Content', exact: true }).getByText('"Break"').first().waitFor();
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await page.getByRole('link', { name: 'obs://scene/Break' }).first().waitFor();
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page
      .getByText(/^Resource obs:\/\/status updated for MCP server obs at /)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Start' }).click();
    await page.getByText('OBS is connected.').waitFor();
    expect(
      await eventually('the scene', async () => (await hand.call('GetCurrentProgramScene')).currentProgramSceneName),
    ).toBe('Break');
    await obs.kill();
    await page.getByRole('link', { name: 'Servers' }).click();
    await page.getByText(/OBS was last seen .* Start OBS/).waitFor();
  });
});
