// Tools for filters of inputs and scenes.
import type { LiveServer } from '@tidings/live';
import { noArguments, toolArguments } from '@tidings/live/internal';
import { z } from 'zod';
import { filterContent } from '../model/contents.ts';
import { uriOf } from '../model/uri.ts';
import type { Obs } from '../source/obs.ts';
import { answer, changed } from './answer.ts';
import { settings } from './settings.ts';
import { placesOf } from './touched.ts';

const named = toolArguments({
  source: z.string().describe('The input or scene the filter is on.'),
  filter: z.string().describe('The name of the filter.'),
});
const kinds = z.object({ sourceFilterKinds: z.array(z.string()) });

export function addFilterTools(server: LiveServer, obs: Obs): void {
  server.tool(
    'list_filter_kinds',
    {
      title: 'Kinds of filters',
      description: 'What add_filter can make in this OBS. Needs OBS 30.2 or newer.',
      input: noArguments,
      output: changed,
      annotations: { readOnlyHint: true },
    },
    async () => answer([], { kinds: kinds.parse(await obs.call('GetSourceFilterKindList')).sourceFilterKinds }),
  );

  server.tool(
    'add_filter',
    {
      title: 'Add a filter to a source',
      description: 'It is applied after the existing filters.',
      input: named.extend({
        kind: z.string().describe('Such as "color_filter_v2" or "gain_filter".'),
        settings: settings.default({}),
      }),
      output: changed,
    },
    async ({ source, filter, kind, settings }) => {
      const request = { sourceName: source, filterName: filter, filterKind: kind, filterSettings: settings };
      await obs.call('CreateSourceFilter', request);
      return afterwards(obs, source, filter, ownersOf(obs, source));
    },
  );

  server.tool(
    'remove_filter',
    {
      title: 'Remove a filter from a source',
      description: 'Its settings are lost; set_filter_enabled keeps them.',
      input: named,
      output: changed,
      annotations: { destructiveHint: true },
    },
    async ({ source, filter }) => {
      await obs.call('RemoveSourceFilter', { sourceName: source, filterName: filter });
      await obs.refresh({ of: 'filters', name: source });
      return answer([uriOf.filter(source, filter), ...ownersOf(obs, source)], { source, removed: filter });
    },
  );

  server.tool(
    'rename_filter',
    {
      title: 'Rename a filter',
      description: 'Its settings and its place stay.',
      input: named.extend({ new_name: z.string() }),
      output: changed,
    },
    async ({ source, filter, new_name }) => {
      await obs.call('SetSourceFilterName', { sourceName: source, filterName: filter, newFilterName: new_name });
      return afterwards(obs, source, new_name, [uriOf.filter(source, filter), ...ownersOf(obs, source)]);
    },
  );

  server.tool(
    'set_filter_enabled',
    {
      title: 'Enable or disable a filter',
      description: 'A disabled filter keeps its settings.',
      input: named.extend({ enabled: z.boolean() }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ source, filter, enabled }) => {
      await obs.call('SetSourceFilterEnabled', { sourceName: source, filterName: filter, filterEnabled: enabled });
      return afterwards(obs, source, filter);
    },
  );

  server.tool(
    'set_filter_order',
    {
      title: 'Move a filter among those of its source',
      description: 'Filters are applied one after the other.',
      input: named.extend({ index: z.int().min(0).describe('0 is applied first.') }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ source, filter, index }) => {
      await obs.call('SetSourceFilterIndex', { sourceName: source, filterName: filter, filterIndex: index });
      return afterwards(obs, source, filter, ownersOf(obs, source));
    },
  );

  server.tool(
    'set_filter_settings',
    {
      title: 'Change the settings of a filter',
      description: 'Its resource shows the present settings.',
      input: named.extend({
        settings,
        overlay: z.boolean().default(true).describe('False: settings that are not given go back to their defaults.'),
      }),
      output: changed,
      annotations: { idempotentHint: true },
    },
    async ({ source, filter, settings, overlay }) => {
      const request = { sourceName: source, filterName: filter, filterSettings: settings, overlay };
      await obs.call('SetSourceFilterSettings', request);
      return afterwards(obs, source, filter);
    },
  );
}

/** Reads the source's filters back, and returns their new state. */
async function afterwards(obs: Obs, source: string, filter: string, others: readonly string[] = []) {
  await obs.refresh({ of: 'filters', name: source });
  return answer([uriOf.filter(source, filter), ...others], { ...filterContent(obs.studio, source, filter) });
}

/** The resources that list the filters of a source. */
function ownersOf(obs: Obs, source: string): string[] {
  return placesOf(obs.studio, source).map((scene) => uriOf.source(scene, source));
}
