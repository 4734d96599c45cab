// Tools for scenes.
import { type LiveServer, LiveError } from '@tidings/live';
import { noArguments, toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { sceneContent } from '../model/contents.ts';
import { statusUri, uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';

const named = toolArguments({ scene: z.string().describe('The name of the scene.') });

export function addSceneTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'list_scenes',
    {
      title: 'List scenes',
      description: 'All scenes with their sources, and which one is on air.',
      input: noArguments,
      output: changed,
      annotations: { readOnlyHint: true },
    },
    () => {
      const { studio } = obs;
      const scenes = studio.scenes.map((scene) => sceneContent(studio, scene));
      return answer(studio.scenes.map(uriOf.scene), { programScene: studio.programScene, scenes });
    },
  );

  server.tool(
    'set_current_scene',
    {
      title: 'Put a scene on air',
      description: 'Switches the program to a scene, with the current transition.',
      input: named,
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ scene }) => {
      const { programScene: before, transition } = obs.studio;
      await obs.call('SetCurrentProgramScene', { sceneName: scene });
      const patienceMs = (transition.durationMs ?? 0) + 3000;
      await obs.settle([{ of: 'scenes' }], ({ programScene }) => programScene === scene, patienceMs);
      const touched = before === null || before === scene ? [scene] : [before, scene];
      return answer([...touched.map(uriOf.scene), statusUri], { programScene: scene, previousScene: before });
    },
  );

  server.tool(
    'set_preview_scene',
    {
      title: 'Preview a scene',
      description: 'Puts a scene into the preview. Studio mode has to be on.',
      input: named,
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ scene }) => {
      const { previewScene: before } = obs.studio;
      await obs.call('SetCurrentPreviewScene', { sceneName: scene });
      await obs.settle([{ of: 'scenes' }], ({ previewScene }) => previewScene === scene);
      const touched = before === null || before === scene ? [scene] : [before, scene];
      return answer([...touched.map(uriOf.scene), statusUri], { previewScene: scene });
    },
  );

  server.tool(
    'set_studio_mode',
    {
      title: 'Turn studio mode on or off',
      description: 'In studio mode changes are made in a preview and put on air with a transition.',
      input: toolArguments({ enabled: z.boolean() }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ enabled }) => {
      await obs.call('SetStudioModeEnabled', { studioModeEnabled: enabled });
      await obs.settle([{ of: 'scenes' }], ({ studioMode }) => studioMode === enabled);
      return answer([statusUri], { studioMode: enabled, previewScene: obs.studio.previewScene });
    },
  );

  addSceneListTools(server, obs);
}

function addSceneListTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'create_scene',
    { title: 'Create a scene', description: 'Makes an empty scene.', input: named, output: changed },
    async ({ scene }) => {
      await obs.call('CreateScene', { sceneName: scene });
      await obs.settle([{ of: 'scenes' }], ({ scenes, items }) => scenes.includes(scene) && items.has(scene));
      return answer([uriOf.scene(scene)], { scene: sceneContent(obs.studio, scene) });
    },
  );

  server.tool(
    'rename_scene',
    {
      title: 'Rename a scene',
      description: 'Its content does not change.',
      input: named.extend({ new_name: z.string() }),
      output: changed,
    },
    async ({ scene, new_name }) => {
      await obs.call('SetSceneName', { sceneName: scene, newSceneName: new_name });
      await obs.settle([{ of: 'scenes' }], ({ scenes, items }) => scenes.includes(new_name) && items.has(new_name));
      return answer([uriOf.scene(scene), uriOf.scene(new_name)], { scene: sceneContent(obs.studio, new_name) });
    },
  );

  server.tool(
    'remove_scene',
    {
      title: 'Remove a scene',
      description: 'Removes a scene, and with it inputs that are in no other.',
      input: named,
      output: changed,
      annotations: { destructiveHint: true },
    },
    async ({ scene }) => {
      const { scenes } = obs.studio;
      if (scenes.length === 1 && scenes[0] === scene) {
        throw new LiveError('INVALID_PARAMS', 'OBS needs a scene: create another one before you remove the last.');
      }
      await obs.call('RemoveScene', { sceneName: scene });
      await obs.settle([{ of: 'scenes' }], ({ scenes }) => !scenes.includes(scene));
      return answer([uriOf.scene(scene)], { removed: scene, programScene: obs.studio.programScene });
    },
  );
}
