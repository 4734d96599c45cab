// An occurrence that is too late is recorded as missed and not delivered.
import { counted } from '@tidings/live/portable';
import type { LastDelivery } from './entries.ts';
import { iso } from './topic-content.ts';

/** The outcome to record if it is too late. */
export function missedBy(due: number, now: number, graceMs: number): LastDelivery | undefined {
  const lateMs = now - due;
  if (lateMs <= graceMs) return undefined;
  const cause = 'no scheduler was running, or it could not keep up';
  const reason = `It was due at ${iso(due)} and found ${durationText(lateMs)} later: ${cause}.`;
  return { status: 'missed', at: now, reason };
}

function durationText(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ];
  const [unitMs, name] = units.find(([unitMs]) => ms >= unitMs) ?? [1, 'millisecond'];
  return counted(Math.floor(ms / unitMs), name);
}
