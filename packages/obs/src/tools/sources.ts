// Tools for sources in a scene: visibility, lock, order and position.
import { type LiveServer, LiveError } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { sourceContent } from '../model/contents.ts';
import { itemsOf } from '../model/need.ts';
import { uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';
import { findItem, address } from './find-item.ts';
import { settings } from './settings.ts';
import { urisOfInput } from './touched.ts';

type SourceAddress = z.infer<typeof address>;

export function addSourceTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'set_source_visibility',
    {
      title: 'Show or hide a source',
      description: 'In one scene; other scenes do not change.',
      input: address.extend({ visible: z.boolean() }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ visible, ...address }) => {
      const { id: sceneItemId } = findItem(obs.studio, address);
      await obs.call('SetSceneItemEnabled', { sceneName: address.scene, sceneItemId, sceneItemEnabled: visible });
      return afterwards(obs, address, sceneItemId);
    },
  );

  server.tool(
    'set_source_lock',
    {
      title: 'Lock or unlock a source',
      description: 'A locked source cannot be moved by hand.',
      input: address.extend({ locked: z.boolean() }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ locked, ...address }) => {
      const { id: sceneItemId } = findItem(obs.studio, address);
      await obs.call('SetSceneItemLocked', { sceneName: address.scene, sceneItemId, sceneItemLocked: locked });
      return afterwards(obs, address, sceneItemId);
    },
  );

  server.tool(
    'set_source_order',
    {
      title: 'Move a source to the front or back',
      description: 'A source in front covers those behind it.',
      input: address.extend({
        index: z.int().min(0).describe('0 is in front of everything else, as in a scene resource.'),
      }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ index, ...address }) => {
      const { id: sceneItemId } = findItem(obs.studio, address);
      const last = (obs.studio.items.get(address.scene)?.length ?? 1) - 1;
      if (index > last)
        throw new LiveError('INVALID_PARAMS', `"${address.scene}" has places 0 (front) to ${last} (back).`);
      // OBS counts from the back.
      const sceneItemIndex = last - index;
      await obs.call('SetSceneItemIndex', { sceneName: address.scene, sceneItemId, sceneItemIndex });
      return afterwards(obs, address, sceneItemId);
    },
  );

  addTransformTools(server, obs);
  addMembershipTools(server, obs);
}

const transform = toolArguments({
  positionX: z.number(),
  positionY: z.number(),
  rotation: z.number(),
  scaleX: z.number(),
  scaleY: z.number(),
  cropTop: z.int().min(0),
  cropBottom: z.int().min(0),
  cropLeft: z.int().min(0),
  cropRight: z.int().min(0),
  alignment: z.int(),
  boundsType: z.string(),
  boundsAlignment: z.int(),
  boundsWidth: z.number().min(1),
  boundsHeight: z.number().min(1),
}).partial();

const transformAnswer = z.object({ sceneItemTransform: z.record(z.string(), z.unknown()) });

function addTransformTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'get_source_transform',
    {
      title: 'Where a source stands',
      description: 'Position, scale, rotation and crop of a source in a scene, with its size in pixels.',
      input: address,
      output: changed,
      annotations: { readOnlyHint: true },
    },
    async (address) => {
      const { id: sceneItemId } = findItem(obs.studio, address);
      return answer([uriOf.source(address.scene, address.source)], {
        transform: await readTransform(obs, address, sceneItemId),
      });
    },
  );

  server.tool(
    'set_source_transform',
    {
      title: 'Move, scale, rotate or crop a source',
      description: 'Only the given fields change.',
      input: address.extend({ transform }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ transform, ...address }) => {
      const { id: sceneItemId } = findItem(obs.studio, address);
      const sceneItemTransform = Object.fromEntries(
        Object.entries(transform).filter((entry): entry is [string, number | string] => entry[1] !== undefined),
      );
      await obs.call('SetSceneItemTransform', { sceneName: address.scene, sceneItemId, sceneItemTransform });
      return afterwards(obs, address, sceneItemId, { transform: await readTransform(obs, address, sceneItemId) });
    },
  );

  server.tool(
    'set_source_settings',
    {
      title: 'Change the settings of a source',
      description:
        'Settings belong to the source itself, so it changes in every scene. Its resource shows the present settings.',
      input: toolArguments({
        source: z.string(),
        settings,
        overlay: z.boolean().default(true).describe('False: settings that are not given go back to their defaults.'),
      }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ source, settings, overlay }) => {
      await obs.call('SetInputSettings', { inputName: source, inputSettings: settings, overlay });
      await obs.refresh({ of: 'input', name: source });
      const { studio } = obs;
      return answer(urisOfInput(studio, source), { source, settings: studio.inputs.get(source)?.settings ?? {} });
    },
  );
}

const created = z.object({ sceneItemId: z.number() });

function addMembershipTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'add_source',
    {
      title: 'Add a source to a scene',
      description: 'Puts a source that exists already (an input, or another scene) into a scene too.',
      input: toolArguments({ scene: z.string(), source: z.string(), visible: z.boolean().default(true) }),
      output: changed,
    },
    async ({ scene, source, visible }) => {
      const request = { sceneName: scene, sourceName: source, sceneItemEnabled: visible };
      const { sceneItemId } = created.parse(await obs.call('CreateSceneItem', request));
      return afterwards(obs, { scene, source }, sceneItemId);
    },
  );

  server.tool(
    'remove_source',
    {
      title: 'Take a source out of a scene',
      description: 'OBS deletes an input that is in no scene any more.',
      input: address,
      output: changed,
      annotations: { destructiveHint: true },
    },
    async (address) => {
      const { scene } = address;
      const { id: sceneItemId } = findItem(obs.studio, address);
      await obs.call('RemoveSceneItem', { sceneName: scene, sceneItemId });
      const isGone = ({ items }: { items: ReadonlyMap<string, readonly { id: number }[]> }) =>
        items.get(scene)?.some(({ id }) => id === sceneItemId) !== true;
      await obs.settle([itemsOf(obs.studio, scene)], isGone);
      return answer([uriOf.scene(scene), uriOf.source(scene, address.source)], {
        removed: address.source,
        sceneItemId,
      });
    },
  );
}

/** Reads the scene back, and returns its new state. */
async function afterwards(obs: Obs, { scene, source }: SourceAddress, sceneItemId: number, details: object = {}) {
  await obs.refresh(itemsOf(obs.studio, scene));
  const content = sourceContent(obs.studio, scene, source);
  const item = content?.items.find((each) => each.sceneItemId === sceneItemId);
  return answer([uriOf.source(scene, source), uriOf.scene(scene)], { scene, source, ...item, ...details });
}

async function readTransform(obs: Obs, { scene }: SourceAddress, sceneItemId: number) {
  const read = await obs.call('GetSceneItemTransform', { sceneName: scene, sceneItemId });
  return transformAnswer.parse(read).sceneItemTransform;
}
