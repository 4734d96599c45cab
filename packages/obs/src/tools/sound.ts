// Tools for the audio of inputs.
import { type LiveServer, LiveError } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { audioInputContent } from '../model/contents.ts';
import { deviceSettingOf } from '../model/device-setting.ts';
import { deviceOf } from '../model/need.ts';
import { uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';

const named = toolArguments({ input: z.string().describe('The name of the input.') });

const volume = named
  .extend({
    volume_db: z.number().min(-100).max(26).optional().describe('In decibels; 0 is as it comes, -100 is silent.'),
    volume_mul: z.number().min(0).max(20).optional().describe('As a factor; 1 is as it comes, 0 is silent.'),
  })
  .describe('Give exactly one of volume_db and volume_mul.');

const sound = named.extend({
  balance: z.number().min(0).max(1).optional().describe('0 is left, 0.5 the middle, 1 right.'),
  sync_offset_ms: z.int().min(-950).max(20_000).optional(),
  monitor_type: z
    .enum(['OBS_MONITORING_TYPE_NONE', 'OBS_MONITORING_TYPE_MONITOR_ONLY', 'OBS_MONITORING_TYPE_MONITOR_AND_OUTPUT'])
    .optional(),
  tracks: z.partialRecord(z.enum(['1', '2', '3', '4', '5', '6']), z.boolean()).optional(),
});

export function addSoundTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'set_input_mute',
    {
      title: 'Mute or unmute an input',
      description: 'In every scene it is in.',
      input: named.extend({ muted: z.boolean() }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ input, muted }) => {
      await obs.call('SetInputMute', { inputName: input, inputMuted: muted });
      return afterwards(obs, input);
    },
  );

  server.tool(
    'set_input_volume',
    {
      title: 'Set the volume of an input',
      description: 'Give exactly one of volume_db and volume_mul.',
      input: volume,
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ input, volume_db, volume_mul }) => {
      if ((volume_db === undefined) === (volume_mul === undefined)) {
        throw new LiveError('INVALID_PARAMS', 'Give exactly one of volume_db and volume_mul.');
      }
      const level = volume_db === undefined ? { inputVolumeMul: volume_mul ?? 1 } : { inputVolumeDb: volume_db };
      await obs.call('SetInputVolume', { inputName: input, ...level });
      return afterwards(obs, input);
    },
  );

  server.tool(
    'set_input_audio',
    {
      title: 'Set balance, sync, monitoring or tracks of an input',
      description: 'Only the given fields change.',
      input: sound,
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ input: inputName, balance, sync_offset_ms, monitor_type, tracks }) => {
      if (balance !== undefined) await obs.call('SetInputAudioBalance', { inputName, inputAudioBalance: balance });
      if (sync_offset_ms !== undefined) {
        await obs.call('SetInputAudioSyncOffset', { inputName, inputAudioSyncOffset: sync_offset_ms });
      }
      if (monitor_type !== undefined) {
        await obs.call('SetInputAudioMonitorType', { inputName, monitorType: monitor_type });
      }
      if (tracks !== undefined) await obs.call('SetInputAudioTracks', { inputName, inputAudioTracks: tracks });
      return afterwards(obs, inputName);
    },
  );

  server.tool(
    'set_input_device',
    {
      title: 'Choose the device of an input',
      description:
        'Which microphone or sound card an input captures. `devices` of its audio input resource has them all.',
      input: named.extend({ device: z.string().describe('The id of a device, or its name.') }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ input, device }) => {
      const [setting, id] = await findDevice(obs, input, device);
      await obs.call('SetInputSettings', { inputName: input, inputSettings: { [setting]: id }, overlay: true });
      return afterwards(obs, input);
    },
  );
}

/** The setting that holds the device, and the id of the requested device. */
async function findDevice(obs: Obs, input: string, wanted: string): Promise<[setting: string, id: string]> {
  const kind = obs.studio.inputs.get(input)?.kind;
  if (kind === undefined) throw new LiveError('RESOURCE_NOT_FOUND', `OBS has no input "${input}".`);
  const source = deviceSettingOf(kind);
  if (source === undefined) throw new LiveError('INVALID_PARAMS', `Input "${input}" (${kind}) captures no device.`);
  await obs.refresh(...deviceOf(obs.studio, input));
  const devices = obs.studio.devices.get(kind) ?? [];
  const named = devices.filter(({ name }) => name === wanted);
  const device = devices.find(({ id }) => id === wanted) ?? named[0];
  if (device === undefined || (device.id !== wanted && named.length > 1)) {
    const all = devices.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
    const reason = device === undefined ? 'OBS finds no device' : 'More than one device is called';
    throw new LiveError('INVALID_PARAMS', `${reason} "${wanted}". Give the id of one of these: ${all}.`);
  }
  return [source.setting, device.id];
}

/** Reads it back, and returns its new audio state. */
async function afterwards(obs: Obs, input: string) {
  await obs.refresh({ of: 'input', name: input }, ...deviceOf(obs.studio, input));
  return answer([uriOf.audioInput(input)], { input, ...audioInputContent(obs.studio, input) });
}
