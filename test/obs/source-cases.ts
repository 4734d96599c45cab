// Sources in scenes, inputs and their sound, filters.
import { expect } from 'vitest';
import { type StudioCase, audio, color, filter, microphone, scene, source, tint } from './studio-case.ts';
import type { Workbench } from './workbench.ts';

/** Creates a scene with one input, whose item id is 1. */
async function sceneWith(bench: Workbench, name: string, input: string, kind = color): Promise<void> {
  await bench.call('create_scene', { scene: name });
  await bench.call('create_input', { scene: name, input, kind });
}

export const sourceCases: readonly StudioCase[] = [
  {
    name: 'a source hidden by hand announces itself and its scene, and nothing else',
    run: async (bench) => {
      await sceneWith(bench, 'Hide', 'Hide cam');
      await bench.call('add_source', { scene: 'Scene', source: 'Hide cam' });
      const hide = { sceneName: 'Hide', sceneItemId: 1, sceneItemEnabled: false };
      const told = await bench.toldBy(() => bench.byHand('SetSceneItemEnabled', hide));
      expect(told).toEqual([scene('Hide'), source('Hide', 'Hide cam')].sort());
      expect(await bench.read(source('Hide', 'Hide cam'))).toMatchObject({ visible: false, sceneItemIds: [1] });
      expect(await bench.read(scene('Hide'))).toMatchObject({ sources: [{ name: 'Hide cam', visible: false }] });
      expect(await bench.toldBy(() => bench.byHand('SetSceneItemEnabled', hide))).toEqual([]);
    },
  },
  {
    name: 'a source locked by hand announces itself and its scene',
    run: async (bench) => {
      await sceneWith(bench, 'Lock', 'Lock cam');
      const lock = { sceneName: 'Lock', sceneItemId: 1, sceneItemLocked: true };
      const told = await bench.toldBy(() => bench.byHand('SetSceneItemLocked', lock));
      expect(told).toEqual([scene('Lock'), source('Lock', 'Lock cam')].sort());
      expect(await bench.read(source('Lock', 'Lock cam'))).toMatchObject({ locked: true });
    },
  },
  {
    name: 'sources that change places announce the scene and the moved ones',
    run: async (bench) => {
      await sceneWith(bench, 'Order', 'Back');
      await bench.call('create_input', { scene: 'Order', input: 'Middle', kind: color });
      await bench.call('create_input', { scene: 'Order', input: 'Front', kind: color });
      const move = { sceneName: 'Order', sceneItemId: 3, sceneItemIndex: 1 };
      const told = await bench.toldBy(() => bench.byHand('SetSceneItemIndex', move));
      expect(told).toEqual([scene('Order'), source('Order', 'Front'), source('Order', 'Middle')].sort());
      expect(await bench.read(scene('Order'))).toMatchObject({
        sources: [{ name: 'Middle' }, { name: 'Front' }, { name: 'Back' }],
      });
    },
  },
  {
    name: 'an input created by hand announces itself, its sound and its scene',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Fresh' });
      const make = { sceneName: 'Fresh', inputName: 'Fresh mic', inputKind: microphone };
      const fresh = [source('Fresh', 'Fresh mic'), audio('Fresh mic')];
      const told = await bench.toldBy(() => bench.byHand('CreateInput', make), ...fresh);
      expect(told).toEqual([...fresh, scene('Fresh')].sort());
      expect(await bench.client.listAll()).toEqual(expect.arrayContaining(fresh));
    },
  },
  {
    name: 'an input renamed by hand announces both names of it and of its filters, in every scene',
    run: async (bench) => {
      await sceneWith(bench, 'Naming', 'Before', microphone);
      await bench.call('add_source', { scene: 'Scene', source: 'Before' });
      await bench.call('add_filter', { source: 'Before', filter: 'Louder', kind: 'gain_filter' });
      const urisOf = (name: string) => [
        source('Naming', name),
        source('Scene', name),
        audio(name),
        filter(name, 'Louder'),
      ];
      const rename = { inputName: 'Before', newInputName: 'After' };
      const told = await bench.toldBy(() => bench.byHand('SetInputName', rename), ...urisOf('After'));
      expect(told).toEqual([...urisOf('Before'), ...urisOf('After'), scene('Naming'), scene('Scene')].sort());
      expect(await bench.read(filter('After', 'Louder'))).toMatchObject({ source: 'After', enabled: true });
    },
  },
  {
    name: 'an input removed by hand disappears at once, though OBS still lists it in a scene that is not shown',
    run: async (bench) => {
      await sceneWith(bench, 'Haunted', 'Ghost');
      await bench.call('create_input', { scene: 'Haunted', input: 'Alive', kind: color });
      const told = await bench.toldBy(() => bench.byHand('RemoveInput', { inputName: 'Ghost' }));
      expect(told).toEqual(expect.arrayContaining([scene('Haunted'), source('Haunted', 'Ghost')]));
      const { inputs } = Object(await bench.byHand('GetInputList'));
      expect(JSON.stringify(inputs)).toContain('Ghost');
      // Reading the scene from OBS again does not bring the input back.
      await bench.read(source('Haunted', 'Alive'));
      await bench.call('set_source_visibility', { scene: 'Haunted', source: 'Alive', visible: false });
      expect(await bench.read(scene('Haunted'))).toMatchObject({ sources: [{ name: 'Alive' }] });
      expect(await bench.client.listAll()).not.toContain(source('Haunted', 'Ghost'));
      // Its release by OBS is not announced.
      const later = await bench.toldBy(() => bench.call('set_current_scene', { scene: 'Haunted' }));
      expect(later).not.toContain(source('Haunted', 'Ghost'));
      await bench.call('set_current_scene', { scene: 'Scene' });
    },
  },
  {
    name: 'an input removed by tool can be created again',
    run: async (bench) => {
      await sceneWith(bench, 'Twice', 'Phoenix');
      await bench.call('remove_input', { input: 'Phoenix' });
      expect(await bench.read(scene('Twice'))).toMatchObject({ sources: [] });
      await bench.call('create_input', { scene: 'Twice', input: 'Phoenix', kind: color });
      expect(await bench.read(scene('Twice'))).toMatchObject({ sources: [{ name: 'Phoenix' }] });
    },
  },
  {
    name: 'a source that is in a scene twice is one resource with two ids, and tools ask for the id',
    run: async (bench) => {
      await sceneWith(bench, 'Double', 'Twin');
      await bench.call('add_source', { scene: 'Double', source: 'Twin' });
      const hide = { scene: 'Double', source: 'Twin', visible: false };
      await expect(bench.call('set_source_visibility', hide)).rejects.toThrow(/scene_item_id, one of: 2 .*1 /);
      await bench.call('set_source_visibility', { ...hide, scene_item_id: 2 });
      expect(await bench.read(source('Double', 'Twin'))).toMatchObject({
        visible: true,
        sceneItemIds: [2, 1],
        items: [
          { sceneItemId: 2, visible: false },
          { sceneItemId: 1, visible: true },
        ],
      });
      const listed = await bench.client.listAll();
      expect(listed.filter((uri) => uri === source('Double', 'Twin'))).toHaveLength(1);
    },
  },
  {
    name: 'sound: every value is announced once, and not when it is set again',
    run: async (bench) => {
      await sceneWith(bench, 'Sound', 'Voice', microphone);
      const inputName = 'Voice';
      const changes = [
        ['SetInputMute', { inputMuted: true }, { muted: true }],
        ['SetInputVolume', { inputVolumeMul: 0.5 }, { volumeMul: 0.5 }],
        ['SetInputVolume', { inputVolumeMul: 0 }, { volumeMul: 0, volumeDb: -100 }],
        ['SetInputAudioBalance', { inputAudioBalance: 0.25 }, { balance: 0.25 }],
        ['SetInputAudioSyncOffset', { inputAudioSyncOffset: 120 }, { syncOffsetMs: 120 }],
        [
          'SetInputAudioMonitorType',
          { monitorType: 'OBS_MONITORING_TYPE_MONITOR_ONLY' },
          { monitorType: 'OBS_MONITORING_TYPE_MONITOR_ONLY' },
        ],
        ['SetInputAudioTracks', { inputAudioTracks: { 2: false } }, { tracks: { 1: true, 2: false } }],
      ] as const;
      for (const [request, data, content] of changes) {
        const set = () => bench.byHand(request, { inputName, ...data });
        expect(await bench.toldBy(set)).toEqual([audio('Voice')]);
        expect(await bench.read(audio('Voice'))).toMatchObject({ name: 'Voice', kind: microphone, ...content });
        expect(await bench.toldBy(set)).toEqual([]);
      }
    },
  },
  {
    name: 'filters: added, disabled, renamed, moved and removed by hand',
    run: async (bench) => {
      await sceneWith(bench, 'Filtered', 'Face');
      const sourceName = 'Face';
      const owner = source('Filtered', 'Face');
      const add = (filterName: string) => () =>
        bench.byHand('CreateSourceFilter', { sourceName, filterName, filterKind: tint });
      expect(await bench.toldBy(add('A'), filter('Face', 'A'))).toEqual([filter('Face', 'A'), owner].sort());
      expect(await bench.toldBy(add('B'), filter('Face', 'B'))).toEqual([filter('Face', 'B'), owner].sort());
      const disable = () =>
        bench.byHand('SetSourceFilterEnabled', { sourceName, filterName: 'A', filterEnabled: false });
      expect(await bench.toldBy(disable)).toEqual([filter('Face', 'A')]);
      expect(await bench.toldBy(disable)).toEqual([]);
      expect(await bench.read(filter('Face', 'A'))).toMatchObject({ kind: tint, enabled: false, index: 0 });
      const move = () => bench.byHand('SetSourceFilterIndex', { sourceName, filterName: 'A', filterIndex: 1 });
      expect(await bench.toldBy(move)).toEqual([filter('Face', 'A'), filter('Face', 'B'), owner].sort());
      const rename = () => bench.byHand('SetSourceFilterName', { sourceName, filterName: 'A', newFilterName: 'C' });
      expect(await bench.toldBy(rename, filter('Face', 'C'))).toEqual(
        [filter('Face', 'A'), filter('Face', 'C'), owner].sort(),
      );
      const remove = () => bench.byHand('RemoveSourceFilter', { sourceName, filterName: 'B' });
      expect(await bench.toldBy(remove)).toEqual([filter('Face', 'B'), filter('Face', 'C'), owner].sort());
      expect(await bench.read(owner)).toMatchObject({ filters: [{ name: 'C', kind: tint }] });
    },
  },
  {
    name: 'settings that OBS does not announce: a read shows them, and watchers are notified',
    run: async (bench) => {
      await sceneWith(bench, 'Quiet', 'Paint');
      await bench.call('add_filter', { source: 'Paint', filter: 'Wash', kind: tint });
      await bench.byHand('SetInputSettings', { inputName: 'Paint', inputSettings: { width: 77 } });
      expect(await bench.read(source('Quiet', 'Paint'))).toMatchObject({ settings: { width: 77 } });
      const wash = { sourceName: 'Paint', filterName: 'Wash', filterSettings: { gamma: 0.5 } };
      await bench.byHand('SetSourceFilterSettings', wash);
      expect(await bench.read(filter('Paint', 'Wash'))).toMatchObject({ settings: { gamma: 0.5 } });

      const subscription = await bench.client.subscribe(source('Quiet', 'Paint'), filter('Paint', 'Wash'));
      await bench.byHand('SetInputSettings', { inputName: 'Paint', inputSettings: { width: 78 } });
      await bench.told(source('Quiet', 'Paint'));
      await bench.byHand('SetSourceFilterSettings', { ...wash, filterSettings: { gamma: 0.25 } });
      await bench.told(filter('Paint', 'Wash'));
      const before = bench.timesTold(source('Quiet', 'Paint'));
      const move = { sceneName: 'Quiet', sceneItemId: 1, sceneItemTransform: { positionX: 12 } };
      await bench.byHand('SetSceneItemTransform', move);
      await bench.told(source('Quiet', 'Paint'), before);
      expect(await bench.read(source('Quiet', 'Paint'))).toMatchObject({ items: [{ transform: { positionX: 12 } }] });
      await subscription.end();
    },
  },
];
