import { describe, expect, it } from 'vitest';
import { parseEvent } from './event.ts';
import { type Need, deviceOf, itemsOf, needKey, needsOfEvent, needsOfPart, wholeStudio } from './need.ts';
import { type Item, type Studio, emptyStudio } from './studio.ts';

const item = (source: string, type: Item['type']): Item => ({
  id: 1,
  source,
  type,
  visible: true,
  locked: false,
  blendMode: null,
  transform: {},
});
const studio: Studio = {
  ...emptyStudio,
  scenes: ['Chat'],
  items: new Map([['Chat', []]]),
  inputs: new Map([['Mic', { kind: 'pulse_input_capture', settings: {}, audio: null, mediaState: null }]]),
  removedInputs: new Set(['Old']),
};

function after(type: string, data: object): string[] {
  const event = parseEvent(type, data);
  if (event === undefined) throw new Error(`${type} is not an event.`);
  return needsOfEvent(studio, event).map(needKey);
}

describe('the reads that an event requires', () => {
  it('are the content of a new scene and its filters', () => {
    expect(after('SceneCreated', { sceneName: 'New', sceneUuid: 'u', isGroup: false })).toEqual([
      'items New',
      'filters New',
    ]);
  });

  it('are all of a renamed input, since a read under the old name may have failed', () => {
    expect(after('InputNameChanged', { oldInputName: 'Mic', inputName: 'Voice', inputUuid: 'u' })).toEqual([
      'input Voice',
      'filters Voice',
    ]);
  });

  it('are empty if the event contains everything', () => {
    expect(after('InputMuteStateChanged', { inputName: 'Mic', inputUuid: 'u', inputMuted: true })).toEqual([]);
  });

  it('are those parts that are referred to and missing', () => {
    const scenes = { programScene: null, previewScene: null, studioMode: false };
    const keys = (needs: readonly Need[]) => needs.map(needKey);
    expect(keys(needsOfPart(studio, { of: 'scenes', scenes: ['Chat', 'New'], ...scenes }))).toEqual([
      'items New',
      'filters New',
    ]);
    expect(keys(needsOfPart(studio, { of: 'inputs', names: ['Mic', 'Old', 'Cam'] }))).toEqual([
      'input Cam',
      'filters Cam',
    ]);
    const items = [item('Cam', 'input'), item('Box', 'group'), item('Other', 'scene')];
    expect(keys(needsOfPart(studio, { of: 'items', name: 'Chat', items }))).toEqual([
      'input Cam',
      'filters Cam',
      'items Box',
      'filters Box',
    ]);
  });

  it('are the device of an input that captures sound', () => {
    expect(deviceOf(studio, 'Mic')).toEqual([
      { of: 'input', name: 'Mic' },
      { of: 'devices', kind: 'pulse_input_capture', input: 'Mic', setting: 'device_id' },
    ]);
    expect(deviceOf(studio, 'Nope')).toEqual([]);
  });

  it('differ for a scene and a group', () => {
    expect(itemsOf(studio, 'Chat')).toMatchObject({ isGroup: false });
    expect(itemsOf(studio, 'Box')).toMatchObject({ isGroup: true });
  });

  it('have a key each, so that none is made twice', () => {
    expect(new Set(wholeStudio.map(needKey)).size).toBe(wholeStudio.length);
    expect(needKey({ of: 'devices', kind: 'k', input: 'a', setting: 's' })).toBe(
      needKey({ of: 'devices', kind: 'k', input: 'b', setting: 's' }),
    );
  });
});
