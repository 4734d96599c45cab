// The import of files of vCons with all of their indexes, compared with plain inserts of the same JSON into one table.
// Each side has its own process and imports one file after the other.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess } from '../calls.js';
import { interleave, warmUps } from '../interleave.js';
import { documentOf } from '../vcon/document.js';
import { temporaryFolder } from '../vcon/libraries.js';

const documentsPerFile = 1450;
const megabyte = 1024 * 1024;

export function vconImports() {
  let measured;
  const once = ({ runs }) => (measured ??= importAll(runs));
  const countOf = ({ runs }) => (runs + warmUps) * documentsPerFile;
  const row = (title, unit, measure, bars = [{ of: 'kit', over: 'bare' }]) => ({
    title,
    unit,
    comparisons: bars,
    measure: async (sizes) => measure(await once(sizes)),
  });
  return [
    row(
      () => 'vCons imported per second',
      '/s',
      ({ rates }) => rates,
      [{ of: 'kit', over: 'bare', atLeast: 0.3 }],
    ),
    row(
      (sizes) => `memory (RSS) at its peak, importing ${countOf(sizes)}`,
      'MB',
      ({ rss }) => rss,
      [
        { of: 'kit', over: 'bare' },
        { of: 'kit', atMost: 200 },
      ],
    ),
    row(
      () => 'heap at its peak, the same',
      'MB',
      ({ heap }) => heap,
    ),
  ];
}

async function importAll(runs) {
  const folder = temporaryFolder();
  const children = {};
  try {
    for (const way of ['kit', 'bare']) {
      const place = join(folder, way);
      mkdirSync(place);
      children[way] = startProcess('./vcon-import-process.js');
      await children[way].call('open', { way, folder: place });
    }
    const turns = { kit: 0, bare: 0 };
    const rates = await interleave(runs, children, (child, way) => {
      const file = fileOf(folder, turns[way]);
      turns[way] += 1;
      return child.call('import', { file, documents: documentsPerFile });
    });
    const peaks = { kit: await children.kit.call('peakMemory'), bare: await children.bare.call('peakMemory') };
    return { rates, rss: inMegabytes(peaks, 'rss'), heap: inMegabytes(peaks, 'heap') };
  } finally {
    for (const child of Object.values(children)) await child.stop();
  }
}

/** A JSONL file with the documents of one round. */
function fileOf(folder, turn) {
  const file = join(folder, `${turn}.jsonl`);
  const first = turn * documentsPerFile;
  const lines = Array.from(
    { length: documentsPerFile },
    (_, index) => `${JSON.stringify(documentOf(first + index))}\n`,
  );
  writeFileSync(file, lines.join(''));
  return file;
}

function inMegabytes({ kit, bare }, kind) {
  return { kit: [kit[kind] / megabyte], bare: [bare[kind] / megabyte] };
}
