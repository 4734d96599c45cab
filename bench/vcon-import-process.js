// Imports files of vCons, through the library or with plain inserts, in a process whose memory can be measured.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importVcons, openLibrary } from '@tidings/vcon';
import { answerCalls } from './calls.js';
import { BareTable } from './vcon/bare-table.js';

/** The library's number of documents per transaction. */
const batch = 300;
const lookEveryMs = 5;

const ways = {
  async kit(folder) {
    const library = await openLibrary(folder);
    return async (file) => {
      const { counts } = await importVcons(library, [file]);
      return counts.created;
    };
  },

  async bare(folder) {
    const table = new BareTable(join(folder, 'bare.db'));
    return async (file) => {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      for (let first = 0; first < lines.length; first += batch) table.insertAll(lines.slice(first, first + batch));
      return lines.length;
    };
  },
};

let takeIn;
const peak = { rss: 0, heap: 0 };

answerCalls({
  async open({ way, folder }) {
    takeIn = await ways[way](folder);
    setInterval(lookAtMemory, lookEveryMs);
  },

  /** Documents per second. */
  async import({ file, documents }) {
    const start = performance.now();
    const created = await takeIn(file);
    const seconds = (performance.now() - start) / 1000;
    lookAtMemory();
    if (created !== documents) throw new Error(`${created} of ${documents} documents were taken in.`);
    return documents / seconds;
  },

  peakMemory: () => peak,
});

/** The system's own peak includes the memory of the parent process. */
function lookAtMemory() {
  const { rss, heapUsed } = process.memoryUsage();
  peak.rss = Math.max(peak.rss, rss);
  peak.heap = Math.max(peak.heap, heapUsed);
}
