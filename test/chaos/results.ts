// The results of a run: their table, and the limits that they have to meet.
import type { Tally } from './oracle.ts';

export interface Outcome extends Tally {
  /** Milliseconds from the fault's end until every subscriber was up to date; undefined if one never was. */
  ms: number | undefined;
}

export interface Result extends Outcome {
  fault: string;
  /** The kind of server, or the hub. */
  target: string;
  /** Another fault at the same time. */
  also?: string;
}

/** The name of rounds without a fault. */
export const noFault = 'none';

const bars = { staleMs: 20_000, p95Ms: 5000, notifiedTwice: 0.2, notifiedTwiceCalm: 0.01 };
/**
 * In a cluster, the takeover of a server by another node is reported as a gap, so repeated notifications are not
 * limited.
 */
export const clusterBars: Bars = {
  ...bars,
  notifiedTwice: Number.POSITIVE_INFINITY,
  notifiedTwiceCalm: Number.POSITIVE_INFINITY,
};

type Bars = typeof bars;

export interface Summary {
  runs: number;
  worstMs: number;
  p95Ms: number;
  stale: number;
  lost: number;
  notifiedTwice: number;
}

export function summary(results: readonly Result[]): Summary {
  const times = results.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY).toSorted((a, b) => a - b);
  const due = results.reduce((sum, result) => sum + result.due, 0);
  const twice = results.reduce((sum, result) => sum + result.twice, 0);
  return {
    runs: results.length,
    worstMs: times.at(-1) ?? 0,
    p95Ms: times[Math.max(0, Math.ceil(times.length * 0.95) - 1)] ?? 0,
    stale: results.filter(({ ms }) => ms === undefined || ms > bars.staleMs).length,
    lost: results.filter(({ ms }) => ms === undefined).length,
    notifiedTwice: due === 0 ? 0 : twice / due,
  };
}

/** One message for each limit that was missed. */
export function missed(results: readonly Result[], limits: Bars = bars): string[] {
  const under = summary(results.filter(({ fault }) => fault !== noFault));
  const calm = summary(results.filter(({ fault }) => fault === noFault));
  const checks: [boolean, string][] = [
    [under.lost + calm.lost > 0, `${under.lost + calm.lost} lost: a subscriber never recovered`],
    [under.stale + calm.stale > 0, `${under.stale + calm.stale} stale: wrong for more than ${seconds(limits.staleMs)}`],
    [under.p95Ms > limits.p95Ms, `95 % right within ${seconds(under.p95Ms)}, not ${seconds(limits.p95Ms)}`],
    [
      under.notifiedTwice > limits.notifiedTwice,
      `notified twice ${percent(under.notifiedTwice)}, not ${percent(limits.notifiedTwice)}`,
    ],
    [calm.notifiedTwice > limits.notifiedTwiceCalm, `notified twice without faults ${percent(calm.notifiedTwice)}`],
  ];
  return checks.filter(([isMissed]) => isMissed).map(([, words]) => words);
}

/** One line for each fault and target, and one for all of them. */
export function table(results: readonly Result[]): string {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const key = `${result.fault}\t${result.target}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const faults = results.filter(({ fault }) => fault !== noFault);
  const rows = [
    ['fault', 'at', 'runs', 'worst', 'p95', 'stale', 'lost', 'notified twice'],
    ...[...groups].toSorted(([a], [b]) => a.localeCompare(b)).map(([key, some]) => key.split('\t').concat(cells(some))),
    ['all faults', '', ...cells(faults)],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}

function cells(results: readonly Result[]): string[] {
  const { runs, worstMs, p95Ms, stale, lost, notifiedTwice } = summary(results);
  return [String(runs), seconds(worstMs), seconds(p95Ms), String(stale), String(lost), percent(notifiedTwice)];
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : 'never';
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
