// Each event of OBS, with exactly the resources whose content it changes.
import { describe, expect, it } from 'vitest';
import { differenceOf } from './difference.ts';
import { parseEvent } from './event.ts';
import { merge } from './part.ts';
import { reduce } from './reduce.ts';
import { type Audio, type Item, type Studio, emptyStudio } from './studio.ts';
import { uriOf } from './uri.ts';

const audio: Audio = {
  muted: false,
  volumeDb: 0,
  volumeMul: 1,
  balance: 0.5,
  syncOffsetMs: 0,
  monitorType: 'OBS_MONITORING_TYPE_NONE',
  tracks: { 1: true },
};

function item(id: number, source: string, type: Item['type'] = 'input'): Item {
  return { id, source, type, visible: true, locked: false, blendMode: 'OBS_BLEND_NORMAL', transform: { positionX: 0 } };
}

/** Two scenes; the camera is in both, and twice in the second, which nests the first. */
const studio: Studio = {
  ...emptyStudio,
  collection: 'Untitled',
  scenes: ['Gaming', 'Chat'],
  programScene: 'Gaming',
  items: new Map([
    ['Gaming', [item(2, 'Mic'), item(1, 'Cam')]],
    ['Chat', [item(3, 'Gaming', 'scene'), item(2, 'Cam'), item(1, 'Cam')]],
  ]),
  inputs: new Map([
    ['Cam', { kind: 'color_source_v3', settings: { width: 1 }, audio: null, mediaState: null }],
    ['Mic', { kind: 'pulse_input_capture', settings: {}, audio, mediaState: null }],
  ]),
  filters: new Map([
    ['Cam', [{ name: 'Tint', kind: 'color_filter_v2', enabled: true, settings: {} }]],
    ['Gaming', [{ name: 'Blur', kind: 'blur', enabled: true, settings: {} }]],
    ['Chat', []],
    ['Mic', []],
  ]),
  transition: { ...emptyStudio.transition, name: 'Fade', durationMs: 300, available: ['Cut', 'Fade'] },
};

const { scene, source, audioInput, filter } = uriOf;
const status = 'obs://status';

function after(type: string, data: object, before = studio): Studio {
  const event = parseEvent(type, data);
  if (!event) throw new Error(`${type} is no event of ours.`);
  return reduce(before, event);
}

function told(type: string, data: object, before = studio): string[] {
  return [...differenceOf(before, after(type, data, before)).uris].sort();
}

const cases: [type: string, data: object, uris: string[]][] = [
  [
    'SceneItemEnableStateChanged',
    { sceneName: 'Gaming', sceneItemId: 1, sceneItemEnabled: false },
    [scene('Gaming'), source('Gaming', 'Cam')],
  ],
  [
    'SceneItemLockStateChanged',
    { sceneName: 'Chat', sceneItemId: 3, sceneItemLocked: true },
    [scene('Chat'), source('Chat', 'Gaming')],
  ],
  [
    'SceneItemListReindexed',
    {
      sceneName: 'Gaming',
      sceneItems: [
        { sceneItemId: 2, sceneItemIndex: 0 },
        { sceneItemId: 1, sceneItemIndex: 1 },
      ],
    },
    [scene('Gaming'), source('Gaming', 'Cam'), source('Gaming', 'Mic')],
  ],
  ['SceneItemRemoved', { sceneName: 'Gaming', sceneItemId: 2 }, [scene('Gaming'), source('Gaming', 'Mic')]],
  ['CurrentProgramSceneChanged', { sceneName: 'Chat' }, [scene('Chat'), scene('Gaming'), status]],
  ['StudioModeStateChanged', { studioModeEnabled: true }, [scene('Gaming'), status]],
  [
    'SceneListChanged',
    {
      scenes: [
        { sceneName: 'Gaming', sceneIndex: 0 },
        { sceneName: 'Chat', sceneIndex: 1 },
      ],
    },
    [scene('Chat'), scene('Gaming')],
  ],
  [
    'SceneListChanged',
    { scenes: [{ sceneName: 'Gaming', sceneIndex: 0 }] },
    [scene('Chat'), source('Chat', 'Cam'), source('Chat', 'Gaming')],
  ],
  [
    'SceneNameChanged',
    { oldSceneName: 'Gaming', sceneName: 'Play' },
    [
      ...['Gaming', 'Play'].flatMap((name) => [scene(name), source(name, 'Cam'), source(name, 'Mic')]),
      ...['Gaming', 'Play'].flatMap((name) => [source('Chat', name), filter(name, 'Blur')]),
      scene('Chat'),
      status,
    ],
  ],
  [
    'InputNameChanged',
    { oldInputName: 'Cam', inputName: 'Camera' },
    [
      ...['Cam', 'Camera'].flatMap((name) => [source('Gaming', name), source('Chat', name), filter(name, 'Tint')]),
      scene('Gaming'),
      scene('Chat'),
    ],
  ],
  [
    'InputNameChanged',
    { oldInputName: 'Mic', inputName: 'Voice' },
    [scene('Gaming'), source('Gaming', 'Mic'), source('Gaming', 'Voice'), audioInput('Mic'), audioInput('Voice')],
  ],
  [
    'InputRemoved',
    { inputName: 'Cam' },
    [
      scene('Gaming'),
      scene('Chat'),
      source('Gaming', 'Cam'),
      source('Gaming', 'Mic'),
      source('Chat', 'Cam'),
      source('Chat', 'Gaming'),
      filter('Cam', 'Tint'),
    ],
  ],
  [
    'InputSettingsChanged',
    { inputName: 'Cam', inputSettings: { width: 2 } },
    [source('Gaming', 'Cam'), source('Chat', 'Cam')],
  ],
  ['InputMuteStateChanged', { inputName: 'Mic', inputMuted: true }, [audioInput('Mic')]],
  ['InputVolumeChanged', { inputName: 'Mic', inputVolumeMul: 0, inputVolumeDb: -100 }, [audioInput('Mic')]],
  ['InputAudioBalanceChanged', { inputName: 'Mic', inputAudioBalance: 1 }, [audioInput('Mic')]],
  ['InputAudioSyncOffsetChanged', { inputName: 'Mic', inputAudioSyncOffset: 9 }, [audioInput('Mic')]],
  ['InputAudioTracksChanged', { inputName: 'Mic', inputAudioTracks: { 1: false } }, [audioInput('Mic')]],
  ['InputAudioMonitorTypeChanged', { inputName: 'Mic', monitorType: 'X' }, [audioInput('Mic')]],
  [
    'SourceFilterEnableStateChanged',
    { sourceName: 'Cam', filterName: 'Tint', filterEnabled: false },
    [filter('Cam', 'Tint')],
  ],
  [
    'SourceFilterSettingsChanged',
    { sourceName: 'Cam', filterName: 'Tint', filterSettings: { a: 1 } },
    [filter('Cam', 'Tint')],
  ],
  [
    'SourceFilterRemoved',
    { sourceName: 'Cam', filterName: 'Tint' },
    [filter('Cam', 'Tint'), source('Gaming', 'Cam'), source('Chat', 'Cam')],
  ],
  [
    'SourceFilterNameChanged',
    { sourceName: 'Gaming', oldFilterName: 'Blur', filterName: 'Mist' },
    [filter('Gaming', 'Blur'), filter('Gaming', 'Mist'), source('Chat', 'Gaming')],
  ],
  ['CurrentSceneTransitionDurationChanged', { transitionDuration: 50 }, [status]],
  ['SceneTransitionStarted', {}, [status]],
  ['StreamStateChanged', { outputActive: true, outputState: 'OBS_WEBSOCKET_OUTPUT_STARTED' }, [status]],
  [
    'RecordStateChanged',
    { outputActive: true, outputState: 'OBS_WEBSOCKET_OUTPUT_PAUSED', outputPath: null },
    [status],
  ],
  ['RecordFileChanged', { newOutputPath: '/b.mkv' }, [status]],
  ['ReplayBufferStateChanged', { outputActive: false, outputState: 'OBS_WEBSOCKET_OUTPUT_STOPPED' }, [status]],
  ['VirtualcamStateChanged', { outputActive: true, outputState: 'OBS_WEBSOCKET_OUTPUT_STARTED' }, [status]],
];

describe('an event and the resources it makes differ', () => {
  it.each(cases)('%s %j', (type, data, uris) => {
    expect(told(type, data)).toEqual([...uris].sort());
  });

  it.each(cases.filter(([type]) => !/Removed|NameChanged/.test(type)))('%s again changes nothing', (type, data) => {
    const once = after(type, data);
    expect(told(type, data, once)).toEqual([]);
  });
});

describe('an event about something unknown', () => {
  it.each([
    ['SceneItemEnableStateChanged', { sceneName: 'Gaming', sceneItemId: 99, sceneItemEnabled: false }],
    ['SceneItemEnableStateChanged', { sceneName: 'Nowhere', sceneItemId: 1, sceneItemEnabled: false }],
    ['SceneItemRemoved', { sceneName: 'Gaming', sceneItemId: 99 }],
    ['InputMuteStateChanged', { inputName: 'Cam', inputMuted: true }],
    ['InputMuteStateChanged', { inputName: 'Unknown', inputMuted: true }],
    ['InputRemoved', { inputName: 'Unknown' }],
    ['InputNameChanged', { oldInputName: 'Unknown', inputName: 'Renamed' }],
    ['SceneNameChanged', { oldSceneName: 'Nowhere', sceneName: 'Somewhere' }],
    ['SourceFilterRemoved', { sourceName: 'Unknown', filterName: 'Tint' }],
    ['SceneRemoved', { sceneName: 'Gaming', isGroup: false }],
    ['SceneCreated', { sceneName: 'New', isGroup: false }],
    ['SceneItemCreated', { sceneName: 'Gaming', sourceName: 'Cam', sceneItemId: 901 }],
  ])('%s %j changes nothing by itself', (type, data) => {
    expect(told(type, data)).toEqual([]);
  });

  it('is ignored if its type is unknown or its data malformed', () => {
    expect(parseEvent('InputVolumeMeters', { inputs: [] })).toBeUndefined();
    expect(parseEvent('SceneItemSelected', { sceneName: 'Gaming', sceneItemId: 1 })).toBeUndefined();
    expect(parseEvent('InputMuteStateChanged', { inputName: 'Mic', inputMuted: 'yes' })).toBeUndefined();
  });
});

describe('an input that was removed', () => {
  const removed = after('InputRemoved', { inputName: 'Cam' });

  it('does not return with its scene, the list, or a read of itself', () => {
    const leftovers = [
      merge(removed, { of: 'items', name: 'Gaming', items: studio.items.get('Gaming') ?? [] }),
      merge(removed, { of: 'inputs', names: ['Cam', 'Mic'] }),
      merge(removed, { of: 'input', name: 'Cam', input: { kind: 'x', settings: {}, audio, mediaState: null } }),
      merge(removed, { of: 'filters', name: 'Cam', filters: [] }),
    ];
    for (const left of leftovers) expect(differenceOf(removed, left).uris).toEqual([]);
  });

  it('can be created again', () => {
    const again = after('InputCreated', { inputName: 'Cam', inputKind: 'x', inputSettings: {} }, removed);
    const items = merge(again, { of: 'items', name: 'Gaming', items: [item(7, 'Cam')] });
    expect(differenceOf(again, items).uris).toContain(source('Gaming', 'Cam'));
  });
});

describe('a scene that was removed', () => {
  it('disappears from scenes that nest it, even while OBS still shows it there', () => {
    const without = after('SceneListChanged', { scenes: [{ sceneName: 'Chat', sceneIndex: 0 }] });
    expect(without.items.get('Chat')?.map((each) => each.source)).toEqual(['Cam', 'Cam']);
    const read = merge(without, { of: 'items', name: 'Chat', items: studio.items.get('Chat') ?? [] });
    expect(differenceOf(without, read).uris).toEqual([]);
  });
});

describe('a group', () => {
  const grouped: Studio = {
    ...studio,
    items: new Map([...studio.items, ['Chat', [item(9, 'Box', 'group')]], ['Box', [item(1, 'Mic')]]]),
    filters: new Map([...studio.filters, ['Box', [{ name: 'Crop', kind: 'crop', enabled: true, settings: {} }]]]),
  };
  const boxed = [source('Box', 'Mic'), filter('Box', 'Crop'), source('Chat', 'Box')];

  it.each<[string, Studio]>([
    ['its item is removed', after('SceneItemRemoved', { sceneName: 'Chat', sceneItemId: 9 }, grouped)],
    ['its scene is read without it', merge(grouped, { of: 'items', name: 'Chat', items: [] })],
    ['its scene is removed', after('SceneListChanged', { scenes: [{ sceneName: 'Gaming', sceneIndex: 0 }] }, grouped)],
  ])('ends with its items and its filters when %s', (_when, left) => {
    expect(differenceOf(grouped, left).uris).toEqual(expect.arrayContaining(boxed));
    expect([left.items.has('Box'), left.filters.has('Box')]).toEqual([false, false]);
  });

  it('stays while another scene has it', () => {
    const items = new Map([...grouped.items, ['Gaming', [item(5, 'Box', 'group')]]]);
    const left = after('SceneItemRemoved', { sceneName: 'Chat', sceneItemId: 9 }, { ...grouped, items });
    expect([left.items.has('Box'), left.filters.has('Box')]).toEqual([true, true]);
  });
});

describe('leaving studio mode', () => {
  it('ends with the program scene, with any events in between', () => {
    const events = [
      ['StudioModeStateChanged', { studioModeEnabled: true }],
      ['CurrentPreviewSceneChanged', { sceneName: 'Chat' }],
      ['CurrentProgramSceneChanged', { sceneName: 'Chat' }],
      ['CurrentProgramSceneChanged', { sceneName: 'Gaming' }],
      ['StudioModeStateChanged', { studioModeEnabled: false }],
    ] as const;
    const left = events.reduce((each, [type, data]) => after(type, data, each), studio);
    expect(differenceOf(studio, left).uris).toEqual([]);
  });
});
