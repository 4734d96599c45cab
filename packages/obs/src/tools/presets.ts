// Tools for presets: which sources of a scene are shown, saved under a name and restored.
import { type Clock, type LiveServer, LiveError } from '@tidings/live';
import { noArguments, toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { presetContent } from '../model/contents.ts';
import { presetOf, restorePlan } from '../model/preset.ts';
import { itemsOf } from '../model/need.ts';
import type { Preset } from '../model/studio.ts';
import { uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { presetSlot } from '../source/preset-slot.ts';
import { answer, changed } from './answer.ts';

const named = toolArguments({ preset: z.string().min(1).max(200).describe('The name of the preset.') });

export function addPresetTools(server: LiveServer, obs: Obs, clock: Clock): void {
  server.tool(
    'list_scene_presets',
    {
      title: 'List scene presets',
      description: 'The presets of this scene collection, each with its scene and which sources it shows.',
      input: noArguments,
      output: changed,
      annotations: { readOnlyHint: true },
    },
    async () => {
      await refreshPresets(obs);
      const names = [...obs.studio.presets.keys()];
      return answer(names.map(uriOf.preset), { presets: names.map((name) => presetContent(obs.studio, name)) });
    },
  );

  server.tool(
    'save_scene_preset',
    {
      title: 'Save which sources of a scene are shown',
      description: 'Saves it under a name, in OBS itself. A preset of that name is replaced.',
      input: named.extend({ scene: z.string().optional().describe('Default: the scene on air.') }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ preset, scene = obs.studio.programScene ?? '' }) => {
      await obs.refresh(...(obs.studio.items.has(scene) ? [itemsOf(obs.studio, scene)] : []));
      const made = presetOf(obs.studio, scene, new Date(clock.date()).toISOString());
      if (made === undefined) throw new LiveError('RESOURCE_NOT_FOUND', `OBS has no scene "${scene}".`);
      await change(obs, (presets) => presets.set(preset, made));
      return answer([uriOf.preset(preset), uriOf.scene(scene)], { ...presetContent(obs.studio, preset) });
    },
  );

  server.tool(
    'restore_scene_preset',
    {
      title: 'Restore which sources of a scene are shown',
      description:
        'Shows and hides the sources of a scene as they were saved. Sources that were added since stay as they are.',
      input: named,
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ preset }) => {
      await refreshPresets(obs);
      const saved = obs.studio.presets.get(preset) ?? missing(obs, preset);
      const { scene } = saved;
      if (!obs.studio.items.has(scene)) {
        throw new LiveError(
          'RESOURCE_NOT_FOUND',
          `Preset "${preset}" is for scene "${scene}", which OBS does not have.`,
        );
      }
      await obs.refresh(itemsOf(obs.studio, scene));
      const plan = restorePlan(obs.studio, saved);
      if (plan.changes.length > 0) {
        await obs.callAll(
          plan.changes.map(({ sceneItemId, visible }) => ({
            requestType: 'SetSceneItemEnabled',
            requestData: { sceneName: scene, sceneItemId, sceneItemEnabled: visible },
          })),
        );
        await obs.refresh(itemsOf(obs.studio, scene));
      }
      const touched = new Set(plan.changes.map(({ source }) => uriOf.source(scene, source)));
      return answer([uriOf.scene(scene), ...touched], { preset, scene, ...plan });
    },
  );

  server.tool(
    'remove_scene_preset',
    {
      title: 'Remove a scene preset',
      description: 'Deletes a preset. The scene does not change.',
      input: named,
      output: changed,
      annotations: { destructiveHint: true },
    },
    async ({ preset }) => {
      await refreshPresets(obs);
      if (!obs.studio.presets.has(preset)) missing(obs, preset);
      await change(obs, (presets) => presets.delete(preset));
      return answer([uriOf.preset(preset)], { removed: preset });
    },
  );
}

/** Another program may have changed the presets: OBS sends no event for that. */
async function refreshPresets(obs: Obs): Promise<void> {
  const { collection } = obs.studio;
  if (collection !== null) await obs.refresh({ of: 'presets', collection });
}

async function change(obs: Obs, edit: (presets: Map<string, Preset>) => unknown): Promise<void> {
  await refreshPresets(obs);
  const { collection, presets } = obs.studio;
  if (collection === null) throw new LiveError('UNAVAILABLE', 'OBS does not say which scene collection it has.');
  const edited = new Map(presets);
  edit(edited);
  const slotValue = Object.fromEntries(
    [...edited].map(([name, { scene, savedAt, sources }]) => [
      name,
      { scene, savedAt, sources: sources.map((source) => ({ ...source })) },
    ]),
  );
  await obs.call('SetPersistentData', { ...presetSlot(collection), slotValue });
  await refreshPresets(obs);
}

function missing(obs: Obs, preset: string): never {
  const names = [...obs.studio.presets.keys()].map((name) => `"${name}"`).join(', ') || 'none';
  throw new LiveError('RESOURCE_NOT_FOUND', `There is no preset "${preset}". Presets of this collection: ${names}.`);
}
