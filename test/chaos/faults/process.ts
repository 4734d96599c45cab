// Faults of a server's process.
import type { Fault } from '../fault.ts';
import type { ChaosUpstream } from '../upstream.ts';

const hasProcess = ({ signal }: ChaosUpstream) => signal !== undefined;

export const processFaults: readonly Fault[] = [
  {
    name: 'kill -9',
    suits: hasProcess,
    begin: (upstream) => upstream.signal?.('SIGKILL'),
    end: (upstream) => upstream.start?.(),
    lastsMs: { from: 0, to: 6000 },
  },
  {
    name: 'SIGTERM',
    suits: hasProcess,
    begin: (upstream) => upstream.signal?.('SIGTERM'),
    end: (upstream) => upstream.start?.(),
    lastsMs: { from: 0, to: 2000 },
  },
  {
    name: 'freeze (SIGSTOP)',
    suits: hasProcess,
    begin: (upstream) => upstream.signal?.('SIGSTOP'),
    end: (upstream) => upstream.signal?.('SIGCONT'),
    lastsMs: { from: 500, to: 10_000 },
  },
  {
    name: 'restart in the other era',
    suits: ({ switchEra }) => switchEra !== undefined,
    begin: async (upstream) => {
      await upstream.switchEra?.();
      await upstream.signal?.('SIGKILL');
    },
    end: (upstream) => upstream.start?.(),
    lastsMs: { from: 0, to: 2000 },
  },
];
