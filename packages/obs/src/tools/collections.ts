// Tools for scene collections and profiles. Another collection has other scenes, sources and filters: everything is
// read again, and the list is announced once.
import type { LiveServer } from '@tidings/live';
import { toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import type { Studio } from '../model/studio.ts';
import { statusUri } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';

const collection = toolArguments({ collection: z.string().min(1).describe('The name of the scene collection.') });
const profile = toolArguments({ profile: z.string().min(1).describe('The name of the profile.') });
/** OBS loads the sources of a collection one after the other. */
const patienceMs = 30_000;

export function addCollectionTools(server: LiveServer, obs: Obs): void {
  const afterwards = async (isDone: (studio: Studio) => boolean) => {
    await obs.settle([], isDone, patienceMs);
    const { collection, collections, profile, profiles } = obs.studio;
    return answer([statusUri], {
      sceneCollection: collection,
      sceneCollections: collections,
      profile,
      profiles,
      scenes: obs.studio.scenes,
    });
  };

  server.tool(
    'set_scene_collection',
    {
      title: 'Switch to a scene collection',
      description: 'Replaces all scenes, sources and filters by those of the collection. obs://status has their names.',
      input: collection,
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ collection }) => {
      await obs.call('SetCurrentSceneCollection', { sceneCollectionName: collection });
      return afterwards((studio) => studio.collection === collection);
    },
  );

  server.tool(
    'create_scene_collection',
    {
      title: 'Create a scene collection',
      description: 'Makes an empty one and switches to it.',
      input: collection,
      output: changed,
    },
    async ({ collection }) => {
      await obs.call('CreateSceneCollection', { sceneCollectionName: collection });
      return afterwards((studio) => studio.collection === collection);
    },
  );

  server.tool(
    'set_profile',
    {
      title: 'Switch to a profile',
      description:
        'A profile has the settings of stream, recording and video. Not possible while OBS streams or records.',
      input: profile,
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ profile }) => {
      await obs.call('SetCurrentProfile', { profileName: profile });
      return afterwards((studio) => studio.profile === profile);
    },
  );

  server.tool(
    'create_profile',
    {
      title: 'Create a profile',
      description: 'Makes one with default settings and switches to it.',
      input: profile,
      output: changed,
    },
    async ({ profile }) => {
      await obs.call('CreateProfile', { profileName: profile });
      return afterwards((studio) => studio.profile === profile);
    },
  );

  server.tool(
    'remove_profile',
    {
      title: 'Remove a profile',
      description: 'If it is in use, OBS switches to another one.',
      input: profile,
      output: changed,
      annotations: { destructiveHint: true },
    },
    async ({ profile }) => {
      await obs.call('RemoveProfile', { profileName: profile });
      return afterwards(({ profiles }) => !profiles.includes(profile));
    },
  );
}
