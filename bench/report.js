// Summarises the samples of a row: medians, ratios with their limits, a table for people and a file for programs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { median } from './median.js';

const usualColumns = ['kit', 'bare', 'sdk'];
const titles = {
  kit: 'kit',
  kitAmongFew: 'kit among few',
  kitAtFewer: 'kit at 10k',
  bare: 'bare',
  sdk: 'SDK',
  tracker: 'tracker',
  hub: 'hub',
  proxy: 'mcp-proxy',
  direct: 'direct',
  toOne: 'to one session',
  toAll: 'to all',
  audited: 'audited',
  unaudited: 'not audited',
  2026: '2026-07-28',
  2025: '2025-11-25',
};

export function judge({ comparisons, unit }, samples) {
  return comparisons.map(({ of, over, atMost = Infinity, atLeast = -Infinity }) => {
    const value = median(samples[of]) / (over === undefined ? 1 : median(samples[over]));
    const bar = atMost < Infinity ? `≤ ${atMost}` : atLeast > -Infinity ? `≥ ${atLeast}` : '';
    return {
      what: over === undefined ? titles[of] : `${titles[of]} / ${titles[over]}`,
      value,
      spread: over === undefined ? [] : spreadOf(samples[of], samples[over]),
      bar: over === undefined && bar !== '' ? `${bar} ${unit}` : bar,
      isKept: value <= atMost && value >= atLeast,
    };
  });
}

/** The range of the middle half of the ratios: if the limit is inside, the result is uncertain. */
function spreadOf(of, over) {
  const ratios = of.map((sample, run) => sample / over[run]).sort((a, b) => a - b);
  const quarter = Math.floor(ratios.length / 4);
  return [ratios[quarter], ratios[ratios.length - 1 - quarter]];
}

/** One table for each set of subjects. */
export function printTables(results) {
  const columnsOf = ({ columns = usualColumns }) => columns.join();
  for (const shown of new Set(results.map(columnsOf))) {
    printTable(
      shown.split(','),
      results.filter((result) => columnsOf(result) === shown),
    );
    console.log();
  }
}

function printTable(shown, results) {
  const lines = [['', 'figure', ...shown.map((name) => titles[name]), 'compared', 'is', 'runs', 'bar', '']];
  for (const { number, title, unit, samples, verdicts } of results) {
    let own = [`${number}`, title, ...shown.map((name) => shownMedian(samples[name], unit))];
    for (const { what, value, spread, bar, isKept } of verdicts) {
      lines.push([
        ...own,
        what,
        round(value),
        spread.map(round).join('–'),
        bar,
        isKept ? (bar === '' ? '' : 'ok') : 'MISSED',
      ]);
      own = own.map(() => '');
    }
  }
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column]));
    console.log(cells.join('  ').trimEnd());
  }
}

function shownMedian(samples, unit) {
  return samples === undefined ? '' : `${round(median(samples))} ${unit}`;
}

export function writeResults(results, sizes, seconds) {
  const folder = new URL('./results/', import.meta.url);
  const machine = { node: process.version, platform: process.platform, arch: process.arch, cpu: cpus()[0]?.model };
  const text = JSON.stringify({ date: new Date().toISOString(), seconds, machine, sizes, results }, null, 2);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('latest.json', folder), `${text}\n`);
}

function round(value) {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(digits);
}
