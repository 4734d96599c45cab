import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import * as answers from './answers.ts';

const scene = 'OBS_SOURCE_TYPE_SCENE';
const input = 'OBS_SOURCE_TYPE_INPUT';
const item = (id: number, more: object = {}) => ({
  sceneItemId: id,
  sceneItemIndex: id,
  sourceName: `source ${id}`,
  sourceType: input,
  sceneItemEnabled: true,
  sceneItemLocked: false,
  ...more,
});
const itemsOf = (...sceneItems: object[]) => answers.itemsFrom(answers.sceneItemList.parse({ sceneItems }));

describe('the items of a scene', () => {
  it('start at the top, which OBS counts last', () => {
    expect(itemsOf(item(1), item(3), item(2)).map(({ id }) => id)).toEqual([3, 2, 1]);
    expect(itemsOf()).toEqual([]);
  });

  it.each([
    [{ sourceType: input, isGroup: null }, 'input'],
    [{ sourceType: input, isGroup: true }, 'input'],
    [{ sourceType: scene, isGroup: false }, 'scene'],
    [{ sourceType: scene, isGroup: null }, 'scene'],
    [{ sourceType: scene }, 'scene'],
    [{ sourceType: scene, isGroup: true }, 'group'],
    [{ sourceType: 'OBS_SOURCE_TYPE_OTHER' }, 'input'],
  ])('with %j have the type %s', (more, type) => {
    expect(itemsOf(item(1, more))[0]?.type).toBe(type);
  });

  it('have what OBS said about them', () => {
    const more = { sceneItemEnabled: false, sceneItemLocked: true, sourceName: '__proto__', sceneItemBlendMode: 'ADD' };
    expect(itemsOf(item(7, { ...more, sceneItemTransform: { positionX: 1.5 }, unknown: 1 }))).toEqual([
      {
        id: 7,
        source: '__proto__',
        type: 'input',
        visible: false,
        locked: true,
        blendMode: 'ADD',
        transform: { positionX: 1.5 },
      },
    ]);
    expect(itemsOf(item(7, { sceneItemBlendMode: null, sceneItemTransform: null }))).toMatchObject([
      { blendMode: null, transform: {} },
    ]);
    expect(itemsOf(item(7))).toMatchObject([{ blendMode: null, transform: {} }]);
  });

  it.each([{ sceneItemId: '1' }, { sceneItemEnabled: 1 }, { sourceName: null }, { sceneItemTransform: 'x' }])(
    'with %j are not read',
    (more) => {
      expect(() => itemsOf(item(1), item(2, more))).toThrow();
    },
  );
});

it('devices are the items with a text for a value', () => {
  const propertyItems = [
    { itemName: 'Default', itemValue: 'default' },
    { itemName: 'Empty', itemValue: '' },
    { itemName: 'Separator', itemValue: null },
    { itemName: 'Number', itemValue: 7, itemEnabled: true },
  ];
  expect(answers.devicesFrom(answers.deviceList.parse({ propertyItems }))).toEqual([
    { id: 'default', name: 'Default' },
    { id: '', name: 'Empty' },
  ]);
});

it('filters are in the order in which they apply', () => {
  const filter = (filterName: string, filterIndex: number, filterEnabled = true) => ({
    filterName,
    filterIndex,
    filterEnabled,
    filterKind: 'gain_filter',
    filterSettings: { db: filterIndex },
  });
  const list = answers.filterList.parse({ filters: [filter('c', 10), filter('a', 0, false), filter('b', 2)] });
  expect(answers.filtersFrom(list)).toEqual([
    { name: 'a', kind: 'gain_filter', enabled: false, settings: { db: 0 } },
    { name: 'b', kind: 'gain_filter', enabled: true, settings: { db: 2 } },
    { name: 'c', kind: 'gain_filter', enabled: true, settings: { db: 10 } },
  ]);
});

describe('presets', () => {
  const preset = { scene: 'A', savedAt: '2026-01-01', sources: [{ sceneItemId: 1, name: 'x', visible: true }] };
  const read = (slotValue: unknown) => [...answers.presetsFrom(answers.persistentData.parse({ slotValue }))];

  it.each<[what: string, slotValue: unknown, names: string[]]>([
    ['nothing', undefined, []],
    ['null, as OBS answers for an empty slot', null, []],
    ['a list', [preset], []],
    ['text', '{}', []],
    ['no preset', {}, []],
    ['presets', { 'My 😀 preset': preset, constructor: preset, '': preset }, ['My 😀 preset', 'constructor', '']],
    ['a preset without sources', { a: { ...preset, sources: [] } }, ['a']],
    ['other data beside it', { a: preset, b: null, c: { ...preset, scene: 7 }, d: 'x' }, ['a']],
    ['an invalid source', { a: { ...preset, sources: [{ sceneItemId: '1', name: 'x', visible: true }] } }, []],
  ])('are read from %s', (_, slotValue, names) => {
    expect(read(slotValue).map(([name]) => name)).toEqual(names);
  });

  it('are kept with the fields that are known', () => {
    expect(read({ a: { ...preset, more: 1 } })).toEqual([['a', preset]]);
    expect([...answers.presetsFrom(undefined)]).toEqual([]);
  });
});

it.each([
  [{ outputActive: false }, 'stopped'],
  [{ outputActive: false, outputPaused: true, outputReconnecting: true }, 'stopped'],
  [{ outputActive: true }, 'started'],
  [{ outputActive: true, outputPaused: false, outputReconnecting: false }, 'started'],
  [{ outputActive: true, outputReconnecting: true }, 'reconnecting'],
  [{ outputActive: true, outputPaused: true }, 'paused'],
  [{ outputActive: true, outputPaused: true, outputReconnecting: true }, 'paused'],
] as const)('an output with %j is %s', (status, state) => {
  expect(answers.outputStateFrom(answers.outputStatus.parse(status))).toBe(state);
});

it.each<[schema: z.ZodType, answer: object]>([
  [answers.sceneList, { scenes: [], currentProgramSceneName: null, currentPreviewSceneName: null }],
  [answers.mediaStatus, { mediaState: 'OBS_MEDIA_STATE_NONE', mediaDuration: null, mediaCursor: null }],
  [answers.mediaStatus, { mediaState: 'OBS_MEDIA_STATE_NONE' }],
  [
    answers.currentTransition,
    { transitionName: 'Cut', transitionKind: 'cut', transitionDuration: null, transitionSettings: null },
  ],
  [answers.inputVolume, { inputVolumeMul: 0, inputVolumeDb: -100 }],
  [answers.inputTracks, { inputAudioTracks: { 1: true, 6: false } }],
])('answer %# may lack what OBS leaves out', (schema, answer) => {
  expect(schema.parse({ ...answer, unknown: 1 })).toEqual(answer);
});
