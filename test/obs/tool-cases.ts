// Tools: an answer comes only when reads show the change, and links to the changed resources.
import { expect } from 'vitest';
import { type StudioCase, audio, color, filter, microphone, scene, source, tint } from './studio-case.ts';
import type { Workbench } from './workbench.ts';

type Step = [tool: string, args: Record<string, unknown>, uri: string, content: Record<string, unknown> | undefined];

/** Calls the tools in order; directly after each, the named resource must have the expected content. */
async function steps(bench: Workbench, ...all: Step[]): Promise<void> {
  for (const [tool, args, uri, content] of all) {
    const answer = await bench.call(tool, args);
    expect(answer, tool).toMatchObject({ success: true });
    expect(answer['resources'], tool).toContain(uri);
    if (content) expect(await bench.read(uri), tool).toMatchObject(content);
    else await expect(bench.read(uri), tool).rejects.toMatchObject({ data: { code: 'RESOURCE_NOT_FOUND' } });
  }
}

export const toolCases: readonly StudioCase[] = [
  {
    name: 'scenes: a read after a tool shows its change',
    run: (bench) =>
      steps(
        bench,
        ['create_scene', { scene: 'One' }, scene('One'), { name: 'One' }],
        ['rename_scene', { scene: 'One', new_name: 'Two' }, scene('Two'), { name: 'Two' }],
        ['set_current_scene', { scene: 'Two' }, scene('Two'), { isActive: true }],
        ['set_current_scene', { scene: 'Scene' }, scene('Two'), { isActive: false }],
        ['set_studio_mode', { enabled: true }, 'obs://status', { studioMode: true }],
        ['set_preview_scene', { scene: 'Two' }, scene('Two'), { isPreview: true }],
        ['set_preview_scene', { scene: 'Scene' }, scene('Two'), { isPreview: false }],
        ['set_studio_mode', { enabled: false }, 'obs://status', { studioMode: false, previewScene: null }],
        ['remove_scene', { scene: 'Two' }, scene('Two'), undefined],
      ),
  },
  {
    name: 'sources and inputs: a read after a tool shows its change',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Set' });
      const [cam, place] = [source('Set', 'Cam'), { scene: 'Set', source: 'Cam' }];
      await steps(
        bench,
        [
          'create_input',
          { scene: 'Set', input: 'Cam', kind: color, settings: { width: 320 }, visible: false },
          cam,
          { type: 'input', inputKind: color, visible: false, settings: { width: 320 } },
        ],
        ['create_input', { scene: 'Set', input: 'Mic', kind: microphone }, audio('Mic'), { kind: microphone }],
        ['set_source_visibility', { ...place, visible: true }, cam, { visible: true }],
        ['set_source_lock', { ...place, locked: true }, cam, { locked: true }],
        ['set_source_order', { ...place, index: 0 }, scene('Set'), { sources: [{ name: 'Cam' }, { name: 'Mic' }] }],
        ['set_source_order', { ...place, index: 1 }, scene('Set'), { sources: [{ name: 'Mic' }, { name: 'Cam' }] }],
        [
          'set_source_transform',
          { ...place, transform: { positionX: 5, rotation: 90 } },
          cam,
          { items: [{ transform: { positionX: 5, rotation: 90 } }] },
        ],
        ['get_source_transform', place, cam, {}],
        ['set_source_settings', { source: 'Cam', settings: { width: 640 } }, cam, { settings: { width: 640 } }],
        [
          'set_source_settings',
          { source: 'Cam', settings: { height: 9 }, overlay: false },
          cam,
          { settings: { height: 9 } },
        ],
        ['add_source', { scene: 'Scene', source: 'Cam' }, source('Scene', 'Cam'), { visible: true }],
        ['remove_source', { scene: 'Scene', source: 'Cam' }, source('Scene', 'Cam'), undefined],
        ['rename_input', { input: 'Cam', new_name: 'Camera' }, source('Set', 'Camera'), { name: 'Camera' }],
        ['remove_input', { input: 'Camera' }, source('Set', 'Camera'), undefined],
      );
      expect(await bench.read(scene('Set'))).toMatchObject({ sources: [{ name: 'Mic' }] });
    },
  },
  {
    name: 'sound: a read after a tool shows its change',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Loud' });
      await bench.call('create_input', { scene: 'Loud', input: 'Singer', kind: microphone });
      const input = 'Singer';
      await steps(
        bench,
        ['set_input_mute', { input, muted: true }, audio(input), { muted: true }],
        ['set_input_mute', { input, muted: false }, audio(input), { muted: false }],
        ['set_input_volume', { input, volume_mul: 0.5 }, audio(input), { volumeMul: 0.5 }],
        ['set_input_volume', { input, volume_mul: 0 }, audio(input), { volumeDb: -100 }],
        [
          'set_input_audio',
          { input, balance: 0.75, sync_offset_ms: 40 },
          audio(input),
          { balance: 0.75, syncOffsetMs: 40 },
        ],
        ['set_input_audio', { input, tracks: { 3: false } }, audio(input), { tracks: { 3: false, 4: true } }],
      );
      const { volumeDb } = await bench.call('set_input_volume', { input, volume_db: -6 });
      expect(volumeDb).toBeCloseTo(-6, 3);
      await expect(bench.call('set_input_volume', { input })).rejects.toThrow('exactly one');
      await expect(bench.call('set_input_volume', { input, volume_db: 0, volume_mul: 1 })).rejects.toThrow(
        'exactly one',
      );
    },
  },
  {
    name: 'filters: a read after a tool shows its change',
    run: async (bench) => {
      await bench.call('create_scene', { scene: 'Look' });
      await bench.call('create_input', { scene: 'Look', input: 'Model', kind: color });
      const [source, uri] = ['Model', filter('Model', 'Warm')];
      await steps(
        bench,
        [
          'add_filter',
          { source, filter: 'Warm', kind: tint, settings: { gamma: 1 } },
          uri,
          { kind: tint, enabled: true },
        ],
        ['add_filter', { source, filter: 'Cold', kind: tint }, filter(source, 'Cold'), { index: 1 }],
        ['set_filter_enabled', { source, filter: 'Warm', enabled: false }, uri, { enabled: false }],
        [
          'set_filter_settings',
          { source, filter: 'Warm', settings: { hue_shift: 2 } },
          uri,
          { settings: { hue_shift: 2 } },
        ],
        ['set_filter_order', { source, filter: 'Warm', index: 1 }, uri, { index: 1 }],
        ['rename_filter', { source, filter: 'Cold', new_name: 'Ice' }, filter(source, 'Ice'), { index: 0 }],
        ['remove_filter', { source, filter: 'Warm' }, uri, undefined],
        ['add_filter', { source: 'Look', filter: 'On the scene', kind: tint }, filter('Look', 'On the scene'), {}],
      );
    },
  },
  {
    name: 'transitions: a read after a tool shows its change',
    run: (bench) =>
      steps(
        bench,
        ['set_current_transition', { transition: 'Cut' }, 'obs://status', { transition: { name: 'Cut' } }],
        [
          'set_current_transition',
          { transition: 'Fade', duration_ms: 120 },
          'obs://status',
          { transition: { name: 'Fade', durationMs: 120 } },
        ],
        ['set_transition_duration', { duration_ms: 90 }, 'obs://status', { transition: { durationMs: 90 } }],
      ),
  },
  {
    name: 'recording starts and stops, and the status has the path',
    run: async (bench) => {
      await bench.call('start_record');
      expect(await bench.read('obs://status')).toMatchObject({ recording: true, outputs: { record: 'started' } });
      const { lastRecording } = await bench.call('stop_record');
      expect(lastRecording).toMatch(/\.mkv$/);
      expect(await bench.read('obs://status')).toMatchObject({ recording: false, lastRecording });
      await expect(bench.call('stop_record')).rejects.toThrow('It is not running.');
    },
  },
  {
    name: 'a stream that cannot start is reported as an error',
    run: async (bench) => {
      await expect(bench.call('start_stream')).rejects.toThrow('OBS tried and gave up');
      expect(await bench.read('obs://status')).toMatchObject({ streaming: false });
    },
  },
  {
    name: 'tools list scenes and inputs for hosts without resources',
    run: async (bench) => {
      const { scenes } = await bench.call('list_scenes');
      expect(scenes).toContainEqual(expect.objectContaining({ name: 'Scene', isActive: true }));
      await bench.call('create_input', { scene: 'Scene', input: 'Listed', kind: microphone });
      const { inputs } = await bench.call('list_inputs');
      expect(inputs).toContainEqual(expect.objectContaining({ name: 'Listed', audio: expect.anything() }));
      expect((await bench.call('list_input_kinds'))['kinds']).toContain(color);
      expect(await bench.call('get_status')).toMatchObject({ connected: true, programScene: 'Scene' });
    },
  },
  {
    name: 'a request that OBS refuses fails with the reason and advice',
    run: async (bench) => {
      const declined: [string, Record<string, unknown>, RegExp][] = [
        ['set_current_scene', { scene: 'Nowhere' }, /Nowhere/],
        ['create_scene', { scene: 'Scene' }, /already exists.*choose another/],
        ['create_scene', { scene: '' }, /must not be empty/],
        ['remove_input', { input: 'Nobody' }, /no input "Nobody"/],
        ['set_input_mute', { input: 'Nobody', muted: true }, /Nobody/],
        ['set_source_visibility', { scene: 'Scene', source: 'Nobody', visible: true }, /no source "Nobody"/],
        ['set_source_visibility', { scene: 'Nowhere', source: 'x', visible: true }, /no scene "Nowhere"/],
        ['create_input', { scene: 'Scene', input: 'Odd', kind: 'no_such_kind' }, /list_input_kinds/],
        ['add_filter', { source: 'Scene', filter: 'Odd', kind: 'no_such_kind' }, /list_filter_kinds/],
        ['set_preview_scene', { scene: 'Scene' }, /Studio mode is off/],
        ['trigger_transition', {}, /Studio mode is off/],
        ['set_current_transition', { transition: 'Wormhole' }, /No scene transition/],
        ['take_screenshot', { source: 'Nobody' }, /Nobody/],
      ];
      for (const [tool, args, message] of declined) await expect(bench.call(tool, args), tool).rejects.toThrow(message);
    },
  },
];
