// Resources that are removed and added, at any server.
import type { Fault } from '../fault.ts';
import type { ChaosUpstream } from '../upstream.ts';

const missing = ({ uris, resources }: ChaosUpstream) => uris.filter((uri) => !(uri in resources));
const pick = (uris: readonly string[], random: () => number) => uris[Math.floor(random() * uris.length)] ?? '';

export const resourceFaults: readonly Fault[] = [
  {
    // Every subscriber must be notified of the removal.
    name: 'vanish',
    suits: (upstream) => missing(upstream).length === 0,
    begin: (upstream, random) => upstream.put(pick(upstream.uris, random), undefined),
  },
  {
    name: 'return',
    suits: (upstream) => missing(upstream).length > 0,
    begin: async (upstream, random) => {
      for (const uri of missing(upstream)) await upstream.put(uri, `returned ${random()}`);
    },
  },
  {
    name: 'vanish and return',
    suits: (upstream) => missing(upstream).length === 0,
    begin: (upstream, random) => upstream.put(pick(upstream.uris, random), undefined),
    end: async (upstream) => {
      for (const uri of missing(upstream)) await upstream.put(uri, `returned to ${upstream.id}`);
    },
    lastsMs: { from: 0, to: 3000 },
  },
];
