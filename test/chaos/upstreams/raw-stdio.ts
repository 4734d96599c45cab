// A hand-written 2025-era server on stdio with configurable faults.
import { ScriptedServer } from '../../track/scripted-server.ts';
import type { StartUpstream } from '../upstream.ts';

export const rawStdio: StartUpstream = async (id, resources) => {
  const script = await ScriptedServer.create({ resources, forgets: true });
  return {
    id,
    kind: 'raw stdio',
    entry: script.entry(id),
    uris: Object.keys(resources),
    get resources() {
      return script.resources;
    },
    script,
    put: async (uri, text) => {
      const { [uri]: _, ...others } = script.resources;
      // Keeps the order of the resources: another order would be another list.
      await script.edit({ resources: text === undefined ? others : { ...script.resources, [uri]: text } });
    },
    [Symbol.asyncDispose]: () => script[Symbol.asyncDispose](),
  };
};
