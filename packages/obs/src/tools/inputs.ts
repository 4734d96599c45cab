// Tools for inputs: captured and played media.
import { type LiveServer, LiveError } from '@tidings/live';
import { noArguments, toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { itemsOf } from '../model/need.ts';
import { uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';
import { settings } from './settings.ts';
import { placesOf, urisOfInput } from './touched.ts';

const named = toolArguments({ input: z.string().describe('The name of the input.') });
const created = z.object({ sceneItemId: z.number() });
const kinds = z.object({ inputKinds: z.array(z.string()) });

export function addInputTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'list_input_kinds',
    {
      title: 'Kinds of inputs',
      description: 'What create_input can make in this OBS.',
      input: noArguments,
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
      input: noArguments,
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
      description: 'Makes a source of its own: a camera, a microphone, an image, a color. In front of the others.',
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
    {
      title: 'Rename an input',
      description: 'In every scene it is in; its filters stay with it.',
      input: named.extend({ new_name: z.string() }),
      output: changed,
    },
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
}

/** Removes the input from every scene first: otherwise OBS would keep it, and its name, in scenes that are not shown. */
async function takeOut(obs: Obs, input: string): Promise<void> {
  const { studio } = obs;
  for (const scene of placesOf(studio, input)) {
    const items = studio.items.get(scene)?.filter(({ source }) => source === input) ?? [];
    for (const { id } of items) await ifThere(obs.call('RemoveSceneItem', { sceneName: scene, sceneItemId: id }));
  }
  await ifThere(obs.call('RemoveInput', { inputName: input }));
}

/** Ignores RESOURCE_NOT_FOUND: OBS removes an input with its last item, and items with their input. */
async function ifThere(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof LiveError) || error.code !== 'RESOURCE_NOT_FOUND') throw error;
  }
}
