// What came of the faults, and the table of it.
import type { Tally } from './oracle.ts';

export interface Result extends Tally {
  fault: string;
  upstream: string;
  /** Nothing, where the truth was not reached at all. */
  ms: number | undefined;
}

/** Later than this, a subscriber counts as stale. */
const staleMs = 20_000;

export interface Summary {
  faults: number;
  stale: number;
  lost: number;
  p95Ms: number;
  toldTwice: number;
}

export function summary(results: readonly Result[]): Summary {
  const times = results.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  const due = results.reduce((sum, result) => sum + result.due, 0);
  const twice = results.reduce((sum, result) => sum + result.twice, 0);
  return {
    faults: results.length,
    stale: results.filter(({ ms }) => ms === undefined || ms > staleMs).length,
    lost: results.filter(({ ms }) => ms === undefined).length,
    p95Ms: times[Math.max(0, Math.ceil(times.length * 0.95) - 1)] ?? 0,
    toldTwice: due === 0 ? 0 : twice / due,
  };
}

/** One line for each fault and server. */
export function table(results: readonly Result[]): string {
  const names = new Set(results.map(({ fault, upstream }) => `${fault}\t${upstream}`));
  const lines = [...names].toSorted().map((name) => {
    const [fault = '', upstream = ''] = name.split('\t');
    const some = results.filter((result) => result.fault === fault && result.upstream === upstream);
    const { stale, lost, toldTwice } = summary(some);
    const worst = Math.max(...some.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY));
    return [fault, upstream, String(some.length), seconds(worst), String(stale), String(lost), percent(toldTwice)];
  });
  const rows = [['fault', 'server', 'runs', 'worst', 'stale', 'lost', 'told twice'], ...lines];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

export function describe(results: readonly Result[]): string {
  const { faults, stale, lost, p95Ms, toldTwice } = summary(results);
  return `${faults} faults: ${stale} stale, ${lost} lost, 95 % right within ${seconds(p95Ms)}, told twice ${percent(toldTwice)}.`;
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never';
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
