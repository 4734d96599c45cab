// A 2025-era server written by hand, on stdio, that misbehaves when a fault asks it to.
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
      // In its place: another order would be another list.
      await script.edit({ resources: text === undefined ? others : { ...script.resources, [uri]: text } });
    },
    [Symbol.asyncDispose]: () => script[Symbol.asyncDispose](),
  };
};
