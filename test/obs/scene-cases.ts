// Scenes: created, renamed, shown, removed.
import { eventually } from '@tidings/live/testing';
import { expect } from 'vitest';
import { type StudioCase, audio, color, filter, microphone, scene, source, tint } from './studio-case.ts';

export const sceneCases: readonly StudioCase[] = [
  {
    name: 'a scene created by hand is listed, and its subscribers are notified',
    run: async (bench) => {
      const told = await bench.toldBy(() => bench.byHand('CreateScene', { sceneName: 'Made' }), scene('Made'));
      expect(told).toEqual([scene('Made')]);
      expect(await bench.client.listAll()).toContain(scene('Made'));
      expect(await bench.read(scene('Made'))).toMatchObject({
        name: 'Made',
        isActive: false,
        isPreview: false,
        sources: [],
      });
    },
  },
  {
    name: 'scenes are numbered from the top of the list',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Below' });
      const { index } = Object(await bench.read(scene('Below')));
      expect(index).toBeGreaterThan(0);
      expect(await bench.read(scene('Scene'))).toMatchObject({ index: 0 });
    },
  },
  {
    name: 'a scene renamed by hand announces both names, its sources, its filters and the scene that nests it',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Old' });
      await bench.call('create_scene', { scene: 'Nest' });
      await bench.call('add_source', { scene: 'Nest', source: 'Old' });
      await bench.call('create_input', { scene: 'Old', input: 'Old cam', kind: color });
      await bench.call('add_filter', { source: 'Old', filter: 'Old tint', kind: tint });
      const renamed = [scene('New'), source('New', 'Old cam'), source('Nest', 'New'), filter('New', 'Old tint')];
      const told = await bench.toldBy(
        () => bench.byHand('SetSceneName', { sceneName: 'Old', newSceneName: 'New' }),
        ...renamed,
      );
      const before = [scene('Old'), source('Old', 'Old cam'), source('Nest', 'Old'), filter('Old', 'Old tint')];
      expect(told).toEqual([...renamed, ...before, scene('Nest')].sort());
      const listed = await bench.client.listAll();
      expect(listed).toEqual(expect.arrayContaining(renamed));
      for (const uri of before) expect(listed).not.toContain(uri);
      expect(await bench.read(scene('Nest'))).toMatchObject({ sources: [{ name: 'New', type: 'scene' }] });
    },
  },
  {
    name: 'a scene removed by hand disappears with its sources, and with inputs that are in no other scene',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Doomed' });
      await bench.call('create_input', { scene: 'Doomed', input: 'Doomed mic', kind: microphone });
      const gone = [scene('Doomed'), source('Doomed', 'Doomed mic'), audio('Doomed mic')];
      const told = await bench.toldBy(async () => {
        await bench.byHand('RemoveScene', { sceneName: 'Doomed' });
        await eventually('all of it to be gone', async () => {
          const listed = await bench.client.listAll();
          return gone.every((uri) => !listed.includes(uri));
        });
      });
      expect(told).toEqual([...gone].sort());
      await expect(bench.read(scene('Doomed'))).rejects.toMatchObject({ data: { code: 'RESOURCE_NOT_FOUND' } });
    },
  },
  {
    name: 'a switch announces the old scene, the new one and the status',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Air' });
      await bench.call('set_current_transition', { transition: 'Fade', duration_ms: 50 });
      const told = await bench.toldBy(async () => {
        await bench.byHand('SetCurrentProgramScene', { sceneName: 'Air' });
        await bench.until(
          'obs://status',
          (status) => Object(status).programScene === 'Air' && !Object(status).transition.isRunning,
        );
      });
      expect(told).toEqual([scene('Air'), scene('Scene'), 'obs://status'].sort());
      expect(await bench.read(scene('Air'))).toMatchObject({ isActive: true });
      expect(await bench.read(scene('Scene'))).toMatchObject({ isActive: false });
      await bench.call('set_current_scene', { scene: 'Scene' });
    },
  },
  {
    name: 'removing the current scene makes another one current',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Short' });
      await bench.call('set_current_scene', { scene: 'Short' });
      await bench.byHand('RemoveScene', { sceneName: 'Short' });
      await bench.until('obs://status', (status) => !['Short', null].includes(Object(status).programScene));
      const { programScene } = await bench.status();
      await bench.until(scene(programScene ?? ''), (content) => Object(content).isActive);
      await bench.call('set_current_scene', { scene: 'Scene' });
    },
  },
  {
    name: 'names may have any characters',
    run: async (bench) => {
      const names = [
        'a b',
        'a/b',
        '100%',
        '%2F',
        '🎥',
        '配信',
        ' leading',
        '?#&=',
        "(it's)!*",
        '..',
        'ü'.normalize('NFD'),
      ];
      for (const name of names) {
        const told = await bench.toldBy(() => bench.byHand('CreateScene', { sceneName: name }), scene(name));
        expect(told).toEqual([scene(name)]);
        expect(await bench.read(scene(name))).toMatchObject({ name });
        await bench.call('create_input', { scene: name, input: `in ${name}`, kind: color });
        expect(await bench.read(source(name, `in ${name}`))).toMatchObject({ scene: name, name: `in ${name}` });
        await bench.call('remove_scene', { scene: name });
      }
    },
  },
  {
    name: 'studio mode announces the preview, and after leaving it shows the scene on air',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Next' });
      await bench.call('set_studio_mode', { enabled: true });
      expect(await bench.status()).toMatchObject({ programScene: 'Scene', previewScene: 'Scene', studioMode: true });
      const preview = await bench.toldBy(async () => {
        await bench.byHand('SetCurrentPreviewScene', { sceneName: 'Next' });
        await bench.until(scene('Next'), (content) => Object(content).isPreview);
      });
      expect(preview).toEqual([scene('Next'), scene('Scene'), 'obs://status'].sort());
      const left = await bench.toldBy(async () => {
        await bench.byHand('SetStudioModeEnabled', { studioModeEnabled: false });
        await bench.until('obs://status', (status) => Object(status).studioMode === false);
      });
      expect(left).toEqual(expect.arrayContaining([scene('Next'), 'obs://status']));
      expect(await bench.status()).toMatchObject({ programScene: 'Scene', previewScene: null });
      expect(await bench.read(scene('Scene'))).toMatchObject({ isActive: true, isPreview: false });
      expect(await bench.read(scene('Next'))).toMatchObject({ isActive: false, isPreview: false });
    },
  },
  {
    name: 'the transition runs from the preview to the program',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Queued' });
      await bench.call('set_studio_mode', { enabled: true });
      await bench.call('set_preview_scene', { scene: 'Queued' });
      await bench.call('trigger_transition');
      expect(await bench.status()).toMatchObject({ programScene: 'Queued' });
      await bench.until('obs://status', (status) => Object(status).previewScene === 'Scene');
      await bench.call('set_current_scene', { scene: 'Scene' });
      await bench.call('set_studio_mode', { enabled: false });
    },
  },
];
