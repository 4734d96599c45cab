// The resources of the OBS server: scenes, their sources, inputs with audio, filters, and the status.
import { type LiveServer, LiveError, type RouteOptions } from '@tidings/live';
import type { MissedReads } from './missed-reads.ts';
import { readMedia } from './media.ts';
import { audioInputContent, filterContent, presetContent, sceneContent, sourceContent } from './model/contents.ts';
import { deviceOf, itemsOf } from './model/need.ts';
import { type Studio, containersOf } from './model/studio.ts';
import { statusUri, uriOf } from './model/uri.ts';
import type { Obs } from './source/obs.ts';
import type { UnannouncedChanges } from './source/unannounced-changes.ts';
import { readStatus } from './status.ts';

export function addResources(server: LiveServer, obs: Obs, unannounced: UnannouncedChanges, missed: MissedReads): void {
  /** Reads while OBS is connected; otherwise records the missed read. */
  const whilePresent = async <T>(uri: string, read: () => T): Promise<Awaited<T>> => {
    await obs.begun();
    if (obs.connection.state !== 'connected') missed.add(uri);
    return await read();
  };
  const listed = <Entry>(entriesOf: (studio: Studio) => readonly Entry[]) => {
    return async () => {
      await obs.begun();
      return entriesOf(obs.lastKnown);
    };
  };

  server.resource(statusUri, {
    name: 'OBS status',
    title: 'What OBS is doing',
    description: 'Whether OBS is connected, what is on air, what is being streamed and recorded.',
    mimeType: 'application/json',
    _meta: { 'tidings/type': 'obs-status' },
    read: async () => {
      await obs.begun();
      return readStatus(obs);
    },
  });

  server.resource('obs://scene/{scene}', {
    ...typed('obs-scene', 'A scene', 'A scene and the sources in it, from top to bottom.'),
    read: ({ scene }) =>
      whilePresent(uriOf.scene(scene), () => sceneContent(obs.studio, scene) ?? notFound('scene', scene)),
    list: listed((studio) =>
      studio.scenes.map((scene) => [{ scene }, { description: describeScene(studio, scene) }] as const),
    ),
    complete: { scene: startingWith(() => obs.lastKnown.scenes) },
  });

  server.resource('obs://source/{scene}/{source}', {
    ...typed('obs-source', 'A source in a scene', 'Whether it shows, its filters and its settings.'),
    read: ({ scene, source }) =>
      whilePresent(uriOf.source(scene, source), async () => {
        // Requested from OBS on each read: not every change of settings is announced.
        if (sourceContent(obs.studio, scene, source)) {
          await obs.refreshIfPossible(itemsOf(obs.studio, scene), { of: 'input', name: source });
        }
        return sourceContent(obs.studio, scene, source) ?? notFound('source', source, ` in "${scene}"`);
      }),
    list: listed((studio) =>
      sourcePairs(studio).map(([scene, source]) => [{ scene, source }, inScene(scene)] as const),
    ),
    complete: {
      scene: startingWith(() => containersOf(obs.lastKnown)),
      source: (prefix, { scene }) => sourceNames(obs.lastKnown, scene).filter((name) => name.startsWith(prefix)),
    },
    watch: ({ scene, source }) => {
      const ends = [unannounced.watchSource(scene, source), obs.wantTransforms()];
      return () => {
        for (const end of ends) end();
      };
    },
  });

  server.resource('obs://audio-input/{input}', {
    ...typed(
      'obs-audio-input',
      'An input with sound',
      'Whether it is muted, how loud it is, where it is heard, which device it captures.',
    ),
    read: ({ input }) =>
      whilePresent(uriOf.audioInput(input), async () => {
        // All values but the device are known from events.
        await obs.refreshIfPossible(...deviceOf(obs.studio, input));
        return audioInputContent(obs.studio, input) ?? notFound('audio input', input);
      }),
    list: listed((studio) => audioInputs(studio).map((input) => [{ input }, { description: 'Audio input' }] as const)),
    complete: { input: startingWith(() => audioInputs(obs.lastKnown)) },
    watch: ({ input }) => unannounced.watchDevice(input),
  });

  server.resource('obs://filter/{source}/{filter}', {
    ...typed('obs-filter', 'A filter of a source', 'Whether it is enabled, its place and its settings.'),
    read: ({ source, filter }) =>
      whilePresent(uriOf.filter(source, filter), async () => {
        if (filterContent(obs.studio, source, filter)) await obs.refreshIfPossible({ of: 'filters', name: source });
        return filterContent(obs.studio, source, filter) ?? notFound('filter', filter, ` on "${source}"`);
      }),
    list: listed((studio) =>
      filteredSources(studio).flatMap((source) =>
        (studio.filters.get(source) ?? []).map(
          ({ name, kind }) => [{ source, filter: name }, { description: `Filter of "${source}": ${kind}` }] as const,
        ),
      ),
    ),
    complete: {
      source: startingWith(() => filteredSources(obs.lastKnown)),
      filter: (prefix, { source = '' }) =>
        (obs.lastKnown.filters.get(source) ?? []).map(({ name }) => name).filter((name) => name.startsWith(prefix)),
    },
    watch: ({ source }) => unannounced.watchFilters(source),
  });

  server.resource('obs://media/{input}', {
    ...typed('obs-media', 'An input that plays something', 'Whether it plays, its position and its duration.'),
    read: ({ input }) =>
      whilePresent(uriOf.media(input), async () => (await readMedia(obs, input)) ?? notFound('media input', input)),
    list: listed((studio) => mediaInputs(studio).map((input) => [{ input }, { description: 'Media input' }] as const)),
    complete: { input: startingWith(() => mediaInputs(obs.lastKnown)) },
  });

  server.resource('obs://preset/{preset}', {
    ...typed('obs-preset', 'A preset of a scene', 'Which sources of a scene are shown, to be restored.'),
    read: ({ preset }) =>
      whilePresent(uriOf.preset(preset), () => presetContent(obs.studio, preset) ?? notFound('preset', preset)),
    list: listed((studio) =>
      [...studio.presets].map(
        ([preset, { scene }]) => [{ preset }, { description: `Preset of scene "${scene}"` }] as const,
      ),
    ),
    complete: { preset: startingWith(() => obs.lastKnown.presets.keys()) },
  });
}

function typed(type: string, title: string, description: string) {
  return { title, description, mimeType: 'application/json', _meta: { 'tidings/type': type } } satisfies Partial<
    RouteOptions<never>
  >;
}

function notFound(what: string, name: string, where = ''): never {
  throw new LiveError('RESOURCE_NOT_FOUND', `OBS has no ${what} "${name}"${where}.`);
}

function startingWith(names: () => Iterable<string>) {
  return (prefix: string) => [...names()].filter((name) => name.startsWith(prefix));
}

function describeScene(studio: Studio, scene: string): string {
  const names = sourceNames(studio, scene);
  return names.length === 0 ? 'Scene without sources' : `Scene with ${names.join(', ')}`;
}

function inScene(scene: string) {
  return { description: `Source in "${scene}"` };
}

/** Each source once, even if a scene has it twice. */
function sourceNames(studio: Studio, scene: string | undefined): string[] {
  const items = scene === undefined ? [...studio.items.values()].flat() : (studio.items.get(scene) ?? []);
  return [...new Set(items.map(({ source }) => source))];
}

function sourcePairs(studio: Studio): [scene: string, source: string][] {
  return containersOf(studio).flatMap((scene) =>
    sourceNames(studio, scene).map((source): [string, string] => [scene, source]),
  );
}

/** By name, to keep the order of the list however often OBS is read. */
function audioInputs(studio: Studio): string[] {
  return [...studio.inputs].flatMap(([name, { audio }]) => (audio === null ? [] : [name])).sort();
}

function mediaInputs(studio: Studio): string[] {
  return [...studio.inputs].flatMap(([name, { mediaState }]) => (mediaState === null ? [] : [name])).sort();
}

function filteredSources(studio: Studio): string[] {
  return [...studio.filters].flatMap(([source, filters]) => (filters.length === 0 ? [] : [source])).sort();
}
