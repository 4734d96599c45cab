// Tools for inputs: what is captured and played, and how it sounds.
import { type LiveServer, LiveError } from '@tidings/live';
import { z } from 'zod';
import { audioInputContent } from '../model/contents.ts';
import { itemsOf } from '../model/need.ts';
import { uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';
import { settings } from './settings.ts';
import { placesOf, urisOfInput } from './touched.ts';

const named = z.object({ input: z.string().describe('The name of the input.') });
const created = z.object({ sceneItemId: z.number() });
const kinds = z.object({ inputKinds: z.array(z.string()) });

export function addInputTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'list_input_kinds',
    {
      title: 'Kinds of inputs',
      description: 'What create_input can make in this OBS.',
      output: changed,
      annotations: { readOnlyHint: true },
    },
    async () => answer([], { kinds: kinds.parse(await obs.call('GetInputKindList')).inputKinds }),
  );

  server.tool(
    'list_inputs',
    {
      title: 'List inputs',
      description: 'All inputs with their kind, and the sound of those that have any.',
      output: changed,
      annotations: { readOnlyHint: true },
    },
    () => {
      const { studio } = obs;
      const inputs = [...studio.inputs].map(([name, { kind, audio }]) => ({ name, kind, audio }));
      return answer(
        [...studio.inputs.keys()].flatMap((input) => urisOfInput(studio, input)),
        { inputs },
      );
    },
  );

  server.tool(
    'create_input',
    {
      title: 'Create an input in a scene',
      input: named.extend({
        scene: z.string(),
        kind: z.string().describe('See list_input_kinds.'),
        settings: settings.default({}),
        visible: z.boolean().default(true),
      }),
      output: changed,
    },
    async ({ scene, input, kind, settings, visible }) => {
      const request = { sceneName: scene, inputName: input, inputKind: kind, inputSettings: settings };
      const made = await obs.call('CreateInput', { ...request, sceneItemEnabled: visible });
      const { sceneItemId } = created.parse(made);
      await obs.settle(
        [{ of: 'input', name: input }, { of: 'filters', name: input }, itemsOf(obs.studio, scene)],
        ({ inputs, items }) => inputs.has(input) && items.get(scene)?.some(({ id }) => id === sceneItemId) === true,
      );
      return answer([...urisOfInput(obs.studio, input), uriOf.scene(scene)], { scene, input, kind, sceneItemId });
    },
  );

  server.tool(
    'rename_input',
    { title: 'Rename an input', input: named.extend({ new_name: z.string() }), output: changed },
    async ({ input, new_name }) => {
      await obs.call('SetInputName', { inputName: input, newInputName: new_name });
      await obs.settle(
        [{ of: 'inputs' }, ...placesOf(obs.studio, input).map((scene) => itemsOf(obs.studio, scene))],
        ({ inputs }) => inputs.has(new_name) && !inputs.has(input),
      );
      return answer(urisOfInput(obs.studio, new_name), { input: new_name, renamedFrom: input });
    },
  );

  server.tool(
    'remove_input',
    {
      title: 'Remove an input',
      description: 'Removes an input from all scenes.',
      input: named,
      output: changed,
      annotations: { destructiveHint: true },
    },
    async ({ input }) => {
      const { studio } = obs;
      if (!studio.inputs.has(input)) throw new LiveError('RESOURCE_NOT_FOUND', `OBS has no input "${input}".`);
      const touched = [...urisOfInput(studio, input), ...placesOf(studio, input).map(uriOf.scene)];
      await takeOut(obs, input);
      await obs.settle([{ of: 'inputs' }], ({ inputs }) => !inputs.has(input));
      return answer(touched, { removed: input });
    },
  );

  addSoundTools(server, obs);
}

/** From every scene first: OBS would keep what is in a scene it does not show, and the name with it. */
async function takeOut(obs: Obs, input: string): Promise<void> {
  const { studio } = obs;
  for (const scene of placesOf(studio, input)) {
    const items = studio.items.get(scene)?.filter(({ source }) => source === input) ?? [];
    for (const { id } of items) await ifThere(obs.call('RemoveSceneItem', { sceneName: scene, sceneItemId: id }));
  }
  await ifThere(obs.call('RemoveInput', { inputName: input }));
}

/** An input goes with its last item, and so do items with their input. */
async function ifThere(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof LiveError) || error.code !== 'RESOURCE_NOT_FOUND') throw error;
  }
}

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

function addSoundTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'set_input_mute',
    {
      title: 'Mute or unmute an input',
      input: named.extend({ muted: z.boolean() }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ input, muted }) => {
      await obs.call('SetInputMute', { inputName: input, inputMuted: muted });
      return heard(obs, input);
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
      return heard(obs, input);
    },
  );

  server.tool(
    'set_input_audio',
    {
      title: 'Set balance, sync, monitoring or tracks of an input',
      description: 'Only what is given changes.',
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
      return heard(obs, inputName);
    },
  );
}

/** Reads it back, and returns its new audio state. */
async function heard(obs: Obs, input: string) {
  await obs.refresh({ of: 'input', name: input });
  return answer([uriOf.audioInput(input)], { input, ...audioInputContent(obs.studio, input) });
}
