// The removal of one scene in OBS causes one `list_changed` for each client, in either era and at both addresses.
import { eventually } from '@tidings/live/testing';
import { openObs } from '@tidings/obs';
import { describe, expect, it } from 'vitest';
import { silent } from '../obs/workbench.ts';
import { FakeObs } from '../support/fake-obs/fake-obs.ts';
import { LeapingClock } from '../support/leaping-clock.ts';
import { AskingClient } from './asking-client.ts';
import { runningHub } from './running-hub.ts';

describe.each(['modern', 'legacy'] as const)('for a %s client', (era) => {
  it.each(['/mcp', '/mcp/obs'])('at %s, a removed scene causes one list change', async (path) => {
    await using obs = await FakeObs.started();
    const open = () => Promise.resolve(openObs({ url: obs.url, password: obs.password, log: silent }));
    const entry = { id: 'obs', builtin: 'obs', enabled: true, trackResources: true };
    // Changes of lists are held back for 100 ms, to be merged: here until a leap.
    const clock = new LeapingClock(100);
    await using hub = await runningHub({ servers: [entry], builtins: { obs: open }, clock });
    await eventually('its scene to be listed', () => hub.status('obs')?.resources === 2);
    await using client = await AskingClient.connect(`${hub.url}${path}`, era);
    const call = (tool: string) =>
      client.client.callTool({ name: path === '/mcp' ? `obs_${tool}` : tool, arguments: { scene: 'Break' } });
    let told = 0;
    client.client.setNotificationHandler('notifications/resources/list_changed', () => void (told += 1));
    if (era === 'modern') await client.client.listen({ resourcesListChanged: true });
    /** After the windows in which changes of lists are merged, also one that such a change would begin. */
    const toldAfterWindows = async () => {
      for (let window = 0; window < 3; window += 1) {
        clock.leap(1000);
        await client.client.listTools();
      }
      return told;
    };
    const hasListed = (count: number) => {
      let checks = 0;
      return eventually(`${count} resources to be listed`, () => {
        // A list that was not answered in time is requested again after a pause, which needs a leap, too.
        if ((checks += 1) > 200) clock.leap(1000);
        return hub.status('obs')?.resources === count;
      });
    };
    // The lists that the hub has just read for the first time are announced too.
    const before = await toldAfterWindows();
    await call('create_scene');
    await hasListed(3);
    expect(await toldAfterWindows()).toBe(before + 1);
    await call('remove_scene');
    await hasListed(2);
    expect(await toldAfterWindows()).toBe(before + 2);
    const changes = hub.hub.tracker.journal.newest(100).entries.filter(({ event }) => event.type === 'list_changed');
    expect(changes.slice(-2).map(({ event }) => Object(event))).toMatchObject([
      { added: ['obs://scene/Break'], removed: [] },
      { added: [], removed: ['obs://scene/Break'] },
    ]);
  });
});
