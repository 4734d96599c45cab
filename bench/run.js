// `npm run bench`: compares the kit with a bare loop and the SDK's own handler, and the tracker with a direct stream
// from the server, as ratios.
//   -- --only 1,2   some rows      -- --full   larger sizes      -- --strict   a missed limit exits with 1
// README.md explains each figure and its limits.
import { parseArgs } from 'node:util';
import { judge, printTables, writeResults } from './report.js';
import { agentRows } from './rows/agents.js';
import { audit } from './rows/audit.js';
import { coldStart, legacyColdStart } from './rows/cold-start.js';
import { fanOut, fanOutOfFive } from './rows/fan-out.js';
import { fewAmongMany } from './rows/few-among-many.js';
import { hubRows } from './rows/hub.js';
import { idleHeap } from './rows/idle-heap.js';
import { read } from './rows/read.js';
import { stalled } from './rows/stalled.js';
import { trackerLatency } from './rows/tracker-latency.js';
import { vconImports } from './rows/vcon-import.js';
import { vconReads } from './rows/vcon-read.js';
import { waitingCalls } from './rows/waiting-calls.js';
import { full, usual } from './sizes.js';
import { Libraries } from './vcon/libraries.js';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, full: { type: 'boolean' }, strict: { type: 'boolean' } },
});
const sizes = options.full ? full : usual;
const hub = hubRows();
// A row's number is its position.
const rows = [
  fanOut,
  fanOutOfFive,
  fewAmongMany,
  stalled,
  idleHeap,
  read,
  ...vconReads(new Libraries()),
  ...vconImports(),
  trackerLatency,
  coldStart,
  legacyColdStart,
  ...hub.ofAll,
  ...agentRows(),
  audit,
  waitingCalls,
  ...hub.ofOne,
].map((row, index) => Object.assign(row, { number: index + 1 }));
const wanted = options.only?.split(',').map(Number) ?? rows.map(({ number }) => number);

const started = performance.now();
const results = [];
for (const row of rows.filter(({ number }) => wanted.includes(number))) {
  const title = row.title(sizes);
  process.stdout.write(`${row.number}. ${title} … `);
  const begun = performance.now();
  const samples = await row.measure(sizes);
  console.log(`${Math.round((performance.now() - begun) / 1000)} s`);
  results.push({
    number: row.number,
    title,
    unit: row.unit,
    columns: row.columns,
    verdicts: judge(row, samples),
    samples,
  });
}
const seconds = Math.round((performance.now() - started) / 1000);

console.log();
printTables(results);
writeResults(results, sizes, seconds);
const missed = results.flatMap(({ verdicts }) => verdicts).filter(({ isKept }) => !isKept).length;
const summary = missed === 0 ? 'Every bar is kept' : `Bars missed: ${missed}`;
console.log(`${summary} (${seconds} s). Every sample is in bench/results/latest.json.`);
if (missed > 0 && options.strict) process.exitCode = 1;
