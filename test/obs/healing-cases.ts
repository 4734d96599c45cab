// OBS exits and returns, or changes everything at once.
import { eventually } from '@tidings/live/testing';
import { expect, vi } from 'vitest';
import { type StudioCase, audio, color, filter, microphone, scene, source, tint } from './studio-case.ts';
import type { Workbench } from './workbench.ts';

/** Records all notifications of a watcher of the whole list. */
async function watchingAll(bench: Workbench) {
  const listed = await bench.client.listAll();
  const subscription = await bench.client.subscribe(...listed);
  await bench.untilAnnounced();
  const [updates, lists] = [bench.client.updates.length, bench.client.listChanges.length];
  return {
    listed,
    told: () => bench.client.updates.slice(updates),
    listChanges: () => bench.client.listChanges.length - lists,
    end: () => subscription.end(),
  };
}

async function furnish(bench: Workbench, name: string): Promise<void> {
  await bench.call('create_scene', { scene: name });
  await bench.call('create_input', { scene: name, input: `${name} cam`, kind: color });
  // Must precede the next input: OBS does not save its collection for a filter alone.
  await bench.call('add_filter', { source: `${name} cam`, filter: 'Tint', kind: tint });
  await bench.call('create_input', { scene: name, input: `${name} mic`, kind: microphone });
}

function restartCase(how: 'kill' | 'exit', words: string): StudioCase {
  return {
    name: `${words}: nothing is announced as deleted, and everything is there again`,
    run: async (bench) => {
      const name = `After ${how}`;
      await furnish(bench, name);
      await bench.obs.saved(name, `${name} cam`, `${name} mic`, 'Tint');
      const watching = await watchingAll(bench);
      await bench.obs[how]();
      await bench.untilAway();
      expect(await bench.client.listAll()).toEqual(watching.listed);
      expect(watching.listChanges()).toBe(0);
      await eventually('the status to be told', () => watching.told().includes('obs://status'));
      expect(new Set(watching.told())).toEqual(new Set(['obs://status']));
      await expect(bench.read(scene(name))).rejects.toMatchObject({
        data: { code: 'UNAVAILABLE' },
        message: expect.stringMatching(/last seen \d{4}-\d\d-\d\dT/),
      });
      await expect(bench.call('set_current_scene', { scene: name })).rejects.toThrow(/last seen/);
      const before = watching.told().length;
      await bench.obs.start();
      await bench.untilConnected();
      expect(await bench.client.listAll()).toEqual(watching.listed);
      expect(await bench.read(scene(name))).toMatchObject({
        sources: [{ name: `${name} mic` }, { name: `${name} cam` }],
      });
      expect(await bench.read(filter(`${name} cam`, 'Tint'))).toMatchObject({ kind: tint });
      // The failed read above leads to one update; nothing else has changed.
      await eventually('the scene to be told', () => watching.told().slice(before).includes(scene(name)));
      const after = watching.told().slice(before);
      expect(after.filter((uri) => uri !== 'obs://status')).toEqual([scene(name)]);
      expect(watching.listChanges()).toBe(0);
      await watching.end();
    },
  };
}

export const healingCases: readonly StudioCase[] = [
  restartCase('kill', 'OBS is killed and started again'),
  restartCase('exit', 'OBS exits, taking everything apart, and is started again'),
  {
    name: 'changes during a lost connection are announced once each when it returns, and nothing else is',
    run: async (bench) => {
      await furnish(bench, 'Meanwhile');
      const watching = await watchingAll(bench);
      await bench.whileCutOff(async () => {
        await bench.byHand('SetInputMute', { inputName: 'Meanwhile mic', inputMuted: true });
        await bench.byHand('SetSceneItemEnabled', { sceneName: 'Meanwhile', sceneItemId: 1, sceneItemEnabled: false });
        await bench.byHand('CreateScene', { sceneName: 'Meanwhile new' });
        await bench.byHand('RemoveSourceFilter', { sourceName: 'Meanwhile cam', filterName: 'Tint' });
      });
      const different = [
        audio('Meanwhile mic'),
        scene('Meanwhile'),
        source('Meanwhile', 'Meanwhile cam'),
        filter('Meanwhile cam', 'Tint'),
      ];
      await eventually('all that differ to be told', () => different.every((uri) => watching.told().includes(uri)));
      expect(
        watching
          .told()
          .filter((uri) => uri !== 'obs://status')
          .sort(),
      ).toEqual([...different].sort());
      expect(await bench.client.listAll()).toContain(scene('Meanwhile new'));
      await eventually('the list to be told', () => watching.listChanges() === 1);
      await watching.end();
    },
  },
  {
    name: 'another scene collection: one read, one list_changed, correct ids; and back again',
    run: async (bench) => {
      await furnish(bench, 'First');
      const watching = await watchingAll(bench);
      const lists = vi.spyOn(bench.server, 'listChanged');
      await bench.byHand('CreateSceneCollection', { sceneCollectionName: 'Second' });
      await eventually('the new collection', async () => !(await bench.client.listAll()).includes(scene('First')));
      expect(await bench.client.listAll()).toEqual(['obs://status', scene('Scene')]);
      expect(lists).toHaveBeenCalledTimes(1);
      await eventually('the scene to be told', () => watching.told().includes(scene('First')));
      await expect(bench.read(scene('First'))).rejects.toMatchObject({ data: { code: 'RESOURCE_NOT_FOUND' } });

      await bench.byHand('SetCurrentSceneCollection', { sceneCollectionName: 'Untitled' });
      await eventually('the old collection', async () => (await bench.client.listAll()).includes(scene('First')));
      expect(lists).toHaveBeenCalledTimes(2);
      expect(new Set(await bench.client.listAll())).toEqual(new Set(watching.listed));
      expect(await bench.read(scene('First'))).toMatchObject({ sources: [{ sceneItemId: 2 }, { sceneItemId: 1 }] });
      // A call succeeds only with the correct ids.
      await bench.call('set_source_visibility', { scene: 'First', source: 'First cam', visible: false });
      expect(await bench.read(source('First', 'First cam'))).toMatchObject({ visible: false });
      lists.mockRestore();
      await watching.end();
    },
  },
];
