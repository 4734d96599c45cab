// Presets, profiles, collections and hotkeys.
import { eventually } from '@tidings/live/testing';
import { expect, vi } from 'vitest';
import { type StudioCase, color, scene, source } from './studio-case.ts';

export const arrangementCases: readonly StudioCase[] = [
  {
    name: 'a preset restores which sources are shown, and reports those it could not restore',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Show' });
      for (const input of ['Host', 'Guest', 'Logo'])
        await bench.call('create_input', { scene: 'Show', input, kind: color });
      await bench.call('set_source_visibility', { scene: 'Show', source: 'Guest', visible: false });
      const uri = 'obs://preset/Solo%20show';
      const saved = await bench.call('save_scene_preset', { preset: 'Solo show', scene: 'Show' });
      expect(saved).toMatchObject({ scene: 'Show', resources: [uri, scene('Show')] });
      expect(await bench.client.listAll()).toContain(uri);
      expect(await bench.read(uri)).toMatchObject({
        name: 'Solo show',
        scene: 'Show',
        sources: expect.arrayContaining([{ sceneItemId: 2, name: 'Guest', visible: false }]),
      });
      await bench.call('set_source_visibility', { scene: 'Show', source: 'Guest', visible: true });
      await bench.call('set_source_visibility', { scene: 'Show', source: 'Host', visible: false });
      await bench.call('remove_input', { input: 'Logo' });
      await bench.call('create_input', { scene: 'Show', input: 'Banner', kind: color });
      expect(await bench.call('restore_scene_preset', { preset: 'Solo show' })).toMatchObject({
        missing: ['Logo'],
        later: ['Banner'],
      });
      expect(await bench.read(source('Show', 'Host'))).toMatchObject({ visible: true });
      expect(await bench.read(source('Show', 'Guest'))).toMatchObject({ visible: false });
      expect((await bench.call('list_scene_presets'))['presets']).toMatchObject([{ name: 'Solo show' }]);
      await bench.call('remove_scene_preset', { preset: 'Solo show' });
      expect(await bench.client.listAll()).not.toContain(uri);
      await expect(bench.call('restore_scene_preset', { preset: 'Solo show' })).rejects.toThrow('There is no preset');
      await expect(bench.call('save_scene_preset', { preset: 'x', scene: 'Nowhere' })).rejects.toThrow('no scene');
    },
  },
  {
    name: 'profiles are created, switched and removed, and the status shows each change',
    run: async (bench) => {
      const told = await bench.toldBy(() => bench.call('create_profile', { profile: 'Podcast' }));
      expect(told).toContain('obs://status');
      expect(await bench.read('obs://status')).toMatchObject({
        profile: 'Podcast',
        profiles: expect.arrayContaining(['Podcast']),
      });
      await bench.call('set_profile', { profile: 'Untitled' });
      expect(await bench.read('obs://status')).toMatchObject({ profile: 'Untitled' });
      await bench.call('remove_profile', { profile: 'Podcast' });
      expect(await bench.read('obs://status')).toMatchObject({ profiles: ['Untitled'] });
      await expect(bench.call('set_profile', { profile: 'Nothing' })).rejects.toThrow('declined SetCurrentProfile');
    },
  },
  {
    name: 'hotkeys are listed once each, and triggered by name or by keys',
    run: async (bench) => {
      const { hotkeys } = await bench.call('list_hotkeys');
      expect(hotkeys).toContain('OBSBasic.Screenshot');
      expect(new Set(Object(hotkeys)).size).toBe(Object(hotkeys).length);
      await bench.call('trigger_hotkey', { hotkey: 'OBSBasic.Screenshot' });
      await bench.call('trigger_hotkey', { key: 'OBS_KEY_F13', modifiers: ['shift'] });
      await expect(bench.call('trigger_hotkey', { hotkey: 'Nothing' })).rejects.toThrow('No hotkeys were found');
      await expect(bench.call('trigger_hotkey', {})).rejects.toThrow('exactly one');
    },
  },
  {
    name: 'a tool switches the scene collection: one new list is announced once, with the presets of that collection',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Home' });
      await bench.call('save_scene_preset', { preset: 'At home', scene: 'Home' });
      await bench.untilAnnounced();
      const lists = vi.spyOn(bench.server, 'listChanged');
      const made = await bench.call('create_scene_collection', { collection: 'Tour' });
      expect(made).toMatchObject({ sceneCollection: 'Tour', scenes: ['Scene'] });
      expect(await bench.client.listAll()).toEqual(['obs://status', scene('Scene')]);
      // Announced in the tick after the change.
      await eventually('the list to be announced', () => lists.mock.calls.length > 0);
      expect(lists).toHaveBeenCalledTimes(1);
      await bench.call('set_scene_collection', { collection: 'Untitled' });
      await eventually('the list to be announced', () => lists.mock.calls.length > 1);
      expect(lists).toHaveBeenCalledTimes(2);
      lists.mockRestore();
      expect(await bench.client.listAll()).toEqual(expect.arrayContaining([scene('Home'), 'obs://preset/At%20home']));
      expect(await bench.read('obs://status')).toMatchObject({
        sceneCollection: 'Untitled',
        sceneCollections: expect.arrayContaining(['Tour', 'Untitled']),
      });
      await expect(bench.call('set_scene_collection', { collection: 'Nothing' })).rejects.toThrow('declined');
    },
  },
];
