import { describe, expect, it } from 'vitest';
import { audioInputContent, filterContent, liveContent, sceneContent, sourceContent } from './contents.ts';
import { type Audio, type Item, type Studio, emptyStudio } from './studio.ts';

const audio: Audio = {
  muted: true,
  volumeDb: 0,
  volumeMul: 1,
  balance: 0.5,
  syncOffsetMs: 0,
  monitorType: 'OBS_MONITORING_TYPE_NONE',
  tracks: { 1: true },
};
const item = (id: number, source: string, more: Partial<Item> = {}): Item => ({
  id,
  source,
  type: 'input',
  visible: true,
  locked: true,
  blendMode: 'OBS_BLEND_NORMAL',
  transform: {},
  ...more,
});
const studio: Studio = {
  ...emptyStudio,
  scenes: ['Gaming', 'Chat'],
  programScene: 'Gaming',
  previewScene: 'Chat',
  // From front to back.
  items: new Map([['Chat', [item(3, 'Cam', { visible: false }), item(2, 'Mic'), item(1, 'Cam', { locked: false })]]]),
  inputs: new Map([
    ['Cam', { kind: 'camera', settings: { width: 1 }, audio: null, mediaState: null }],
    ['Mic', { kind: 'microphone', settings: {}, audio, mediaState: null }],
  ]),
  filters: new Map([
    [
      'Cam',
      [
        { name: 'Tint', kind: 'color', enabled: true, settings: { hue: 1 } },
        { name: 'Blur', kind: 'blur', enabled: false, settings: {} },
      ],
    ],
  ]),
};

describe('something that does not exist has no content', () => {
  it.each([
    ['scene', sceneContent(studio, 'None')],
    ['source in a scene', sourceContent(studio, 'Chat', 'None')],
    ['source in a scene that does not exist', sourceContent(studio, 'None', 'Cam')],
    ['input', audioInputContent(studio, 'None')],
    ['sound of an input without any', audioInputContent(studio, 'Cam')],
    ['filter', filterContent(studio, 'Cam', 'None')],
    ['filter of a source that does not exist', filterContent(studio, 'None', 'Tint')],
  ])('%s', (_, content) => {
    expect(content).toBeUndefined();
  });
});

it('a scene says whether it is on air or in the preview, and lists its sources', () => {
  expect(sceneContent(studio, 'Gaming')).toEqual({
    name: 'Gaming',
    isActive: true,
    isPreview: false,
    index: 0,
    sources: [],
  });
  expect(sceneContent(studio, 'Chat')).toMatchObject({ isActive: false, isPreview: true, index: 1 });
  expect(sceneContent(studio, 'Chat')?.sources.map(({ sceneItemId }) => sceneItemId)).toEqual([3, 2, 1]);
});

it('a source that is in a scene twice is visible if one is, locked if both are, with the indexes of OBS', () => {
  const content = sourceContent(studio, 'Chat', 'Cam');
  expect(content).toMatchObject({ visible: true, locked: false, sceneItemIds: [3, 1], inputKind: 'camera' });
  expect(content?.items.map(({ sceneItemId, sceneItemIndex }) => [sceneItemId, sceneItemIndex])).toEqual([
    [3, 2],
    [1, 0],
  ]);
  expect(content?.filters).toEqual([
    { name: 'Tint', kind: 'color' },
    { name: 'Blur', kind: 'blur' },
  ]);
});

it('an input has its sound, and a filter its position and settings', () => {
  expect(audioInputContent(studio, 'Mic')).toEqual({
    name: 'Mic',
    kind: 'microphone',
    ...audio,
    device: null,
    devices: [],
  });
  expect(filterContent(studio, 'Cam', 'Blur')).toEqual({
    source: 'Cam',
    name: 'Blur',
    kind: 'blur',
    enabled: false,
    index: 1,
    settings: {},
  });
});

it.each([
  ['started', true, false],
  ['paused', true, true],
  ['stopped', false, false],
] as const)('a recording that is %s', (record, recording, recordingPaused) => {
  const content = liveContent({ ...studio, outputs: { ...studio.outputs, record } });
  expect(content).toMatchObject({ recording, recordingPaused, outputs: { record } });
});

it('a stream that reconnects counts as active; an output that OBS does not have is null', () => {
  const outputs = { ...studio.outputs, stream: 'reconnecting', replayBuffer: null, virtualCamera: 'started' } as const;
  expect(liveContent({ ...studio, outputs })).toMatchObject({
    streaming: true,
    replayBuffer: null,
    virtualCamera: true,
    programScene: 'Gaming',
  });
});
