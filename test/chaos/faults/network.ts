// Faults of connections.
import type { Fault } from '../fault.ts';
import type { ChaosUpstream } from '../upstream.ts';

const throughProxy = ({ proxy }: ChaosUpstream) => proxy !== undefined;
const mend = ({ proxy }: ChaosUpstream) => proxy?.mend();

export const networkFaults: readonly Fault[] = [
  { name: 'reset once (RST)', suits: throughProxy, begin: ({ proxy }) => proxy?.cut() },
  {
    name: 'reset in a row',
    suits: throughProxy,
    begin: async ({ proxy }) => {
      for (let n = 0; n < 5; n += 1) {
        proxy?.cut();
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    },
  },
  { name: 'half close (FIN)', suits: throughProxy, begin: ({ proxy }) => proxy?.halfClose() },
  {
    name: 'refuse connections',
    suits: throughProxy,
    begin: ({ proxy }) => {
      proxy?.affectNew('refuse');
      proxy?.cut();
    },
    end: mend,
    lastsMs: { from: 200, to: 8000 },
  },
  {
    name: 'stall',
    suits: throughProxy,
    begin: ({ proxy }) => {
      proxy?.affect('stall');
      proxy?.affectNew('stall');
    },
    end: mend,
    lastsMs: { from: 200, to: 8000 },
  },
  {
    name: 'black hole',
    suits: throughProxy,
    begin: ({ proxy }) => {
      proxy?.affect('blackHole');
      proxy?.affectNew('blackHole');
    },
    end: mend,
    lastsMs: { from: 500, to: 12_000 },
  },
  {
    // Open connections (the stream, and idle ones) go silent; new ones work.
    name: 'half open',
    suits: throughProxy,
    begin: ({ proxy }) => proxy?.affect('blackHole'),
  },
  {
    // Other responses continue, so only missing keep-alive comments or a read reveal it.
    name: 'stream alone goes silent',
    suits: ({ proxy, kind }) => proxy !== undefined && kind !== 'polled',
    begin: ({ proxy }) => proxy?.affect('blackHole', ({ asked }) => /GET \/|subscriptions\/listen/.test(asked)),
  },
  {
    name: 'drip',
    suits: throughProxy,
    begin: ({ proxy }) => {
      proxy?.affect({ drip: 7, everyMs: 20 });
      proxy?.affectNew({ drip: 7, everyMs: 20 });
    },
    end: mend,
    lastsMs: { from: 500, to: 3000 },
  },
  {
    name: 'corrupt bytes',
    suits: throughProxy,
    begin: ({ proxy }, random) => {
      const fault = { corruptEvery: 20 + Math.floor(random() * 200) };
      proxy?.affect(fault);
      proxy?.affectNew(fault);
    },
    end: mend,
    lastsMs: { from: 200, to: 3000 },
  },
];
