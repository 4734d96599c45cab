// Reads from a library of vCons through MCP in memory, compared with the same responses of a plain McpServer and of a
// plain table. Each read must be one query.
import { startProcess } from '../calls.js';
import { interleave } from '../interleave.js';

/** `libraries` has the folders, and builds missing libraries. */
export function vconReads(libraries) {
  const row = (reading, shown, reads, overBare = {}) => ({
    title: ({ vcons: { many } }) => `CPU of reading ${shown} of ${many} vCons, one query`,
    unit: 'µs',
    comparisons: [
      // MCP on both sides: the limit applies to the work of the vCon server.
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
    // Large enough that the cost of MCP itself does not matter.
    row('thousandIds', 'ids/1000', 15, { atMost: 2 }),
  ];
}

/** With TIDINGS_BENCH_PROFILE set to a folder, CPU profiles are written there. */
function profiling() {
  const folder = process.env.TIDINGS_BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
