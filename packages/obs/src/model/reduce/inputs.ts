// Inputs and their audio. OBS also announces values that did not change, so every value is compared first.
import type { EventOf } from '../event.ts';
import { withEntry, withFields, withRenamedEntry, withoutEntry } from '../immutable.ts';
import type { Audio, Device, Input, Studio } from '../studio.ts';
import { withRenamedSource, withoutSource } from './items.ts';

export function withInput(studio: Studio, name: string, input: Input): Studio {
  if (studio.removedInputs.has(name)) return studio;
  return withFields(studio, { inputs: withEntry(studio.inputs, name, input) });
}

export function withDevices(studio: Studio, kind: string, devices: readonly Device[]): Studio {
  return withFields(studio, { devices: withEntry(studio.devices, kind, devices) });
}

/** Removes inputs that are not in the list. */
export function withInputList(studio: Studio, listed: readonly string[]): Studio {
  const names = new Set(listed);
  return [...studio.inputs.keys()].filter((name) => !names.has(name)).reduce(withoutInput, studio);
}

/** OBS allows a name again only after the earlier input with that name was removed. */
export function inputCreated(studio: Studio, { data }: EventOf<'InputCreated'>): Studio {
  if (!studio.removedInputs.has(data.inputName)) return studio;
  return { ...studio, removedInputs: new Set([...studio.removedInputs].filter((name) => name !== data.inputName)) };
}

export function inputRemoved(studio: Studio, { data }: EventOf<'InputRemoved'>): Studio {
  return withoutInput(studio, data.inputName);
}

function withoutInput(studio: Studio, name: string): Studio {
  if (!studio.inputs.has(name)) return studio;
  const rest = withoutSource(studio, name);
  // While a scene contains the removed input, OBS lists the input and its items until that scene is shown.
  const isHeld = rest !== studio;
  return {
    ...rest,
    inputs: withoutEntry(rest.inputs, name),
    filters: withoutEntry(rest.filters, name),
    removedInputs: isHeld ? new Set([...rest.removedInputs, name]) : rest.removedInputs,
  };
}

export function inputRenamed(studio: Studio, { data }: EventOf<'InputNameChanged'>): Studio {
  const { oldInputName: from, inputName: to } = data;
  return { ...withRenamedSource(studio, from, to), inputs: withRenamedEntry(studio.inputs, from, to) };
}

export function inputSettingsChanged(studio: Studio, { data }: EventOf<'InputSettingsChanged'>): Studio {
  const input = studio.inputs.get(data.inputName);
  return input ? withInput(studio, data.inputName, { ...input, settings: data.inputSettings }) : studio;
}

type SoundEvent = EventOf<
  | 'InputMuteStateChanged'
  | 'InputVolumeChanged'
  | 'InputAudioBalanceChanged'
  | 'InputAudioSyncOffsetChanged'
  | 'InputAudioTracksChanged'
  | 'InputAudioMonitorTypeChanged'
>;

export function soundChanged(studio: Studio, event: SoundEvent): Studio {
  const { inputName } = event.data;
  const input = studio.inputs.get(inputName);
  if (!input?.audio) return studio;
  return withInput(studio, inputName, { ...input, audio: { ...input.audio, ...soundOf(event) } });
}

function soundOf({ type, data }: SoundEvent): Partial<Audio> {
  switch (type) {
    case 'InputMuteStateChanged':
      return { muted: data.inputMuted };
    case 'InputVolumeChanged':
      return { volumeMul: data.inputVolumeMul, volumeDb: data.inputVolumeDb };
    case 'InputAudioBalanceChanged':
      return { balance: data.inputAudioBalance };
    case 'InputAudioSyncOffsetChanged':
      return { syncOffsetMs: data.inputAudioSyncOffset };
    case 'InputAudioTracksChanged':
      return { tracks: data.inputAudioTracks };
    default:
      return { monitorType: data.monitorType };
  }
}
