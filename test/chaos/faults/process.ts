// What happens to the process of a server.
import type { Fault } from '../fault.ts';

export const processFaults: readonly Fault[] = [
  {
    name: 'kill -9',
    suits: ({ kill }) => kill !== undefined,
    begin: (upstream) => upstream.kill?.(),
    end: (upstream) => upstream.start?.(),
    lastsMs: { from: 0, to: 6000 },
  },
];
