// Imports files of vCons, through the library or with plain inserts, in a process whose memory can be measured.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importVcons, openLibrary } from '@tidings/vcon';
import { answerCalls } from './calls.js';
import { BareTable } from './vcon/bare-table.js';

/** The library's number of documents per transaction. */
const batch = 300;
const sampleMs = 5;

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

let importFile;
const peak = { rss: 0, heap: 0 };

answerCalls({
  async open({ way, folder }) {
    importFile = await ways[way](folder);
    setInterval(sampleMemory, sampleMs);
  },

  /** Documents per second. */
  async import({ file, documents }) {
    const start = performance.now();
    const created = await importFile(file);
    const seconds = (performance.now() - start) / 1000;
    sampleMemory();
    if (created !== documents) throw new Error(`${created} of ${documents} documents were imported.`);
    return documents / seconds;
  },

  peakMemory: () => peak,
});

/** The system's own peak includes the memory of the parent process. */
function sampleMemory() {
  const { rss, heapUsed } = process.memoryUsage();
  peak.rss = Math.max(peak.rss, rss);
  peak.heap = Math.max(peak.heap, heapUsed);
}
