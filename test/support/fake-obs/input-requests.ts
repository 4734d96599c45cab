// Inputs of the fake OBS, and their sound.
import { z } from 'zod';
import { type FakeInput, decibels, inputKinds, newInput, newItem } from './fake-studio.ts';
import { Declined, type FakeWorld, type Handler } from './request.ts';
import { field, flag, inputOf, mustBeNew, number, sceneOf, settings, soundOf, text } from './request.ts';

export const inputRequests: Record<string, Handler> = {
  GetInputList: ({ studio }) => ({
    inputs: [...studio.inputs].map(([inputName, { kind }]) => ({ inputName, inputKind: kind })).toReversed(),
  }),
  GetInputKindList: () => ({ inputKinds }),
  CreateInput: (world, data) => {
    const [scene, name, kind] = [sceneOf(world, data), text(data, 'inputName'), text(data, 'inputKind')];
    mustBeNew(world, name);
    if (!inputKinds.includes(kind)) throw new Declined(605, 'Your specified input kind is not supported by OBS.');
    const inputSettings = data['inputSettings'] === undefined ? {} : settings(data, 'inputSettings');
    world.studio.inputs.set(name, newInput(kind, inputSettings));
    const item = newItem(scene, name, data['sceneItemEnabled'] !== false);
    scene.items.push(item);
    world.emit('InputCreated', { inputName: name, inputKind: kind, inputSettings, defaultInputSettings: {} });
    const place = { sceneItemId: item.id, sceneItemIndex: scene.items.length - 1 };
    world.emit('SceneItemCreated', { sceneName: scene.name, sourceName: name, ...place });
    return { sceneItemId: item.id };
  },
  RemoveInput: (world, data) => {
    const { studio } = world;
    const [name, input] = inputOf(world, data);
    if (input.isGone) return;
    input.isGone = true;
    world.emit('InputRemoved', { inputName: name });
    for (const container of studio.containers.filter((each) => studio.isShown(each))) {
      const removed = container.items.filter(({ source }) => source === name);
      container.items = container.items.filter(({ source }) => source !== name);
      for (const { id } of removed) {
        world.emit('SceneItemRemoved', { sceneName: container.name, sourceName: name, sceneItemId: id });
      }
    }
    dropInput(world, name);
  },
  SetInputName: (world, data) => {
    const { studio } = world;
    const [[old, input], name] = [inputOf(world, data), text(data, 'newInputName')];
    mustBeNew(world, name);
    studio.inputs.delete(old);
    studio.inputs.set(name, input);
    for (const { items } of studio.containers) for (const item of items) if (item.source === old) item.source = name;
    const filters = studio.filters.get(old);
    studio.filters.delete(old);
    if (filters) studio.filters.set(name, filters);
    world.emit('InputNameChanged', { oldInputName: old, inputName: name });
  },
  GetInputSettings: (world, data) => {
    const [, { kind, settings }] = inputOf(world, data);
    return { inputKind: kind, inputSettings: settings };
  },
  SetInputSettings: (world, data) => {
    const [inputName, input] = inputOf(world, data);
    const given = settings(data, 'inputSettings');
    input.settings = data['overlay'] === false ? given : { ...input.settings, ...given };
    if (world.tellsSettings) world.emit('InputSettingsChanged', { inputName, inputSettings: input.settings });
  },
  GetInputPropertiesListPropertyItems: (world, data) => {
    const [, { kind }] = inputOf(world, data);
    if (text(data, 'propertyName') !== 'device_id' || !kind.endsWith('_capture')) {
      throw new Declined(600, 'Unable to find a property by that name.');
    }
    const { devices } = world.studio;
    return { propertyItems: devices.map(({ name, id }) => ({ itemName: name, itemEnabled: true, itemValue: id })) };
  },
  GetMediaInputStatus: (world, data) => {
    const [, { mediaState, mediaCursor }] = inputOf(world, data);
    const isThere = ['OBS_MEDIA_STATE_PLAYING', 'OBS_MEDIA_STATE_PAUSED'].includes(mediaState);
    return { mediaState, mediaCursor: isThere ? mediaCursor : null, mediaDuration: isThere ? 20_000 : null };
  },
  TriggerMediaInputAction: (world, data) => {
    const [inputName, input] = inputOf(world, data);
    const mediaAction = text(data, 'mediaAction');
    const action = mediaAction.slice(mediaAction.lastIndexOf('_') + 1);
    if (input.mediaState === 'OBS_MEDIA_STATE_NONE') return;
    if (action === 'RESTART') input.mediaCursor = 0;
    const states: Record<string, string> = { PAUSE: 'OBS_MEDIA_STATE_PAUSED', STOP: 'OBS_MEDIA_STATE_ENDED' };
    input.mediaState = states[action] ?? 'OBS_MEDIA_STATE_PLAYING';
    world.emit('MediaInputActionTriggered', { inputName, mediaAction });
  },
  SetMediaInputCursor: (world, data) => {
    seekable(inputOf(world, data)[1]).mediaCursor = number(data, 'mediaCursor');
  },
  OffsetMediaInputCursor: (world, data) => {
    seekable(inputOf(world, data)[1]).mediaCursor += number(data, 'mediaCursorOffset');
  },

  GetInputMute: (world, data) => ({ inputMuted: soundOf(world, data)[1].muted }),
  // The event is sent even if the state has not changed, as for the volume.
  SetInputMute: (world, data) => {
    const [inputName, input] = soundOf(world, data);
    input.muted = flag(data, 'inputMuted');
    world.emit('InputMuteStateChanged', { inputName, inputMuted: input.muted });
  },
  GetInputVolume: (world, data) => volume(soundOf(world, data)[1].volumeMul),
  SetInputVolume: (world, data) => {
    const [inputName, input] = soundOf(world, data);
    if (data['inputVolumeDb'] !== undefined && number(data, 'inputVolumeDb') > 26) {
      throw new Declined(402, 'The field value of `inputVolumeDb` is above the maximum of `26.000000`');
    }
    input.volumeMul =
      data['inputVolumeMul'] === undefined
        ? Math.fround(10 ** (number(data, 'inputVolumeDb') / 20))
        : number(data, 'inputVolumeMul');
    world.emit('InputVolumeChanged', { inputName, ...volume(input.volumeMul) });
  },
  GetInputAudioBalance: (world, data) => ({ inputAudioBalance: soundOf(world, data)[1].balance }),
  SetInputAudioBalance: (world, data) => {
    const [inputName, input] = soundOf(world, data);
    input.balance = number(data, 'inputAudioBalance');
    world.emit('InputAudioBalanceChanged', { inputName, inputAudioBalance: input.balance });
  },
  GetInputAudioSyncOffset: (world, data) => ({ inputAudioSyncOffset: soundOf(world, data)[1].syncOffset }),
  SetInputAudioSyncOffset: (world, data) => {
    const [inputName, input] = soundOf(world, data);
    input.syncOffset = number(data, 'inputAudioSyncOffset');
    world.emit('InputAudioSyncOffsetChanged', { inputName, inputAudioSyncOffset: input.syncOffset });
  },
  GetInputAudioMonitorType: (world, data) => ({ monitorType: soundOf(world, data)[1].monitorType }),
  SetInputAudioMonitorType: (world, data) => {
    const [inputName, input] = soundOf(world, data);
    input.monitorType = text(data, 'monitorType');
    world.emit('InputAudioMonitorTypeChanged', { inputName, monitorType: input.monitorType });
  },
  GetInputAudioTracks: (world, data) => ({ inputAudioTracks: soundOf(world, data)[1].tracks }),
  SetInputAudioTracks: (world, data) => {
    const [inputName, input] = soundOf(world, data);
    input.tracks = { ...input.tracks, ...field(data, 'inputAudioTracks', z.record(z.string(), z.boolean())) };
    world.emit('InputAudioTracksChanged', { inputName, inputAudioTracks: input.tracks });
  },
};

function seekable(input: FakeInput): FakeInput {
  if (['OBS_MEDIA_STATE_PLAYING', 'OBS_MEDIA_STATE_PAUSED'].includes(input.mediaState)) return input;
  throw new Declined(604, 'The media input must be playing or paused in order to set the cursor position.');
}

function volume(mul: number) {
  return { inputVolumeMul: mul, inputVolumeDb: decibels(mul) };
}

/** Removes an input that no scene uses any more; unless it was removed before, the removal is announced. */
export function dropInput(world: FakeWorld, name: string): void {
  const { studio } = world;
  const input = studio.inputs.get(name);
  if (!input || input.isGlobal || studio.containers.some(({ items }) => items.some(({ source }) => source === name)))
    return;
  for (const { name: filterName } of studio.filters.get(name) ?? []) {
    world.emit('SourceFilterRemoved', { sourceName: name, filterName });
  }
  studio.filters.delete(name);
  studio.inputs.delete(name);
  if (!input.isGone) world.emit('InputRemoved', { inputName: name });
}
