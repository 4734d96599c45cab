import { describe, expect, it } from 'vitest';
import { eventLine } from './event-line.ts';
import { parseEvent } from './event.ts';
import { type Studio, emptyStudio } from './studio.ts';

const transform = { positionX: 0 };
const camera = {
  id: 1,
  source: 'Cam',
  type: 'input',
  visible: true,
  locked: false,
  blendMode: null,
  transform,
} as const;
const sound = { volumeDb: 0, volumeMul: 1, balance: 0.5, syncOffsetMs: 0, monitorType: 'none', tracks: {} };
const microphone = { kind: 'alsa', settings: {}, audio: { ...sound, muted: false }, mediaState: null };
const studio: Studio = {
  ...emptyStudio,
  scenes: ['Chat'],
  items: new Map([['Chat', [camera]]]),
  inputs: new Map([['Mic', microphone]]),
  filters: new Map([['Cam', [{ name: 'Tint', kind: 'tint', enabled: true, settings: {} }]]]),
};

function lineOf(type: string, data: object): string | undefined {
  const event = parseEvent(type, data);
  if (!event) throw new Error(`${type} is not among the known events.`);
  return eventLine(studio, event);
}

describe('the line of an event', () => {
  it.each([
    [
      'SceneItemEnableStateChanged',
      { sceneName: 'Chat', sceneItemId: 1, sceneItemEnabled: false },
      'Source hidden in Chat: Cam',
    ],
    ['InputMuteStateChanged', { inputName: 'Mic', inputMuted: true }, 'Input muted: Mic'],
    [
      'SourceFilterEnableStateChanged',
      { sourceName: 'Cam', filterName: 'Tint', filterEnabled: false },
      'Filter of Cam disabled: Tint',
    ],
    ['CurrentProgramSceneChanged', { sceneName: 'Chat' }, 'Scene changed to: Chat'],
  ])('of %s has the names of what changed', (type, data, line) => {
    expect(lineOf(type, data)).toBe(line);
  });

  it.each([
    ['InputMuteStateChanged', { inputName: 'Mic', inputMuted: false }],
    ['SourceFilterEnableStateChanged', { sourceName: 'Cam', filterName: 'Tint', filterEnabled: true }],
    ['InputVolumeChanged', { inputName: 'Mic', inputVolumeMul: 0.5, inputVolumeDb: -6 }],
    ['SceneItemEnableStateChanged', { sceneName: 'Chat', sceneItemId: 9, sceneItemEnabled: false }],
  ])('%s has none if it repeats known state, changes continuously, or concerns something unknown', (type, data) => {
    expect(lineOf(type, data)).toBeUndefined();
  });
});
