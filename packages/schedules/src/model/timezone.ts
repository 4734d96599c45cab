// Time zones by their IANA names, as far as the runtime knows them.
import { bySimilarity } from '@tidings/live/internal';
import { quotedValue, refusal } from './refusal.ts';

/** The zone in its usual spelling. Refuses an unknown zone, and suggests the nearest names. */
export function checkTimezone(zone: string): string {
  if (!isZone(zone)) {
    const near = nearest(zone);
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ' See timezones://valid for all of them.';
    throw refusal(`${quotedValue(zone)} is not a time zone; use an IANA name.${hint}`, '"Europe/Oslo" or "UTC"');
  }
  const lower = zone.toLowerCase();
  // Names that the runtime knows only as aliases are returned unchanged.
  return knownZones().find((known) => known.toLowerCase() === lower) ?? zone;
}

/** Whether two names mean one zone, such as `Asia/Kolkata` and `Asia/Calcutta`. */
export function isSameZone(one: string, other: string): boolean {
  return canonical(one) === canonical(other);
}

function isZone(zone: string): boolean {
  // Newer runtimes also accept offsets, which have no summer time.
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    canonical(zone);
    return true;
  } catch {
    return false;
  }
}

function canonical(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}

function knownZones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone')];
}

const farthest = 2;

function nearest(given: string): string[] {
  const wanted = plain(given).slice(0, 64);
  const zones = bySimilarity(wanted, knownZones(), (zone) => [plain(zone), plain(cityOf(zone))]);
  const least = zones[0]?.distance ?? Number.POSITIVE_INFINITY;
  if (least > farthest || least >= wanted.length) return [];
  return zones
    .filter(({ distance }) => distance === least)
    .map(({ name }) => name)
    .slice(0, 3);
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1);
}
