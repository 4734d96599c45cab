// Reading from a library of vCons through MCP in memory, against the same answers without the
// server: behind a plain McpServer, and from the bare table. Each must be one query.
import { startProcess } from '../calls.js';
import { interleave } from '../interleave.js';

/** `libraries` is where they are, and builds those that are not there yet. */
export function vconReads(libraries) {
  const row = (reading, shown, reads, overBare = {}) => ({
    title: ({ vcons: { many } }) => `CPU of reading ${shown} of ${many} vCons, one query`,
    unit: 'µs',
    comparisons: [
      // MCP on both sides: the bar is for what the server adds.
      { of: 'kit', over: 'sdk', atMost: 2 },
      { of: 'kit', over: 'bare', ...overBare },
      { of: 'kit', over: 'kitAtFewer', atMost: 1.2 },
    ],
    async measure({ runs, vcons: { few, many } }) {
      const [folderOfFew, folderOfMany] = await libraries.folders([few, many]);
      const child = startProcess('./vcon-read-process.js', profiling());
      try {
        const queries = await child.call('open', {
          reading,
          few: { folder: folderOfFew, size: few },
          many: { folder: folderOfMany, size: many },
        });
        if (queries !== 1) throw new Error(`Reading ${shown} takes ${queries} queries instead of one.`);
        const names = { kit: 'kit', kitAtFewer: 'kitAtFewer', bare: 'bare', sdk: 'sdk' };
        return await interleave(runs, names, (name) => child.call('read', { name, reads }));
      } finally {
        await child.stop();
      }
    },
  });
  return [
    row('metadata', '{uuid}/metadata', 2000, { atMost: 2.5 }),
    row('recentIds', 'recent/ids', 2000, { atMost: 2.5 }),
    // Large enough for MCP itself not to matter.
    row('thousandIds', 'ids/1000', 15, { atMost: 2 }),
  ];
}

/** With TIDINGS_BENCH_PROFILE set to a folder, CPU profiles are left there. */
function profiling() {
  const folder = process.env.TIDINGS_BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
