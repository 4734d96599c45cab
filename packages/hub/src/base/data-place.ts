// Where data is stored: a folder on this machine, or a PostgreSQL database.
import { resolve } from 'node:path';
import { withoutSecretsInUri } from './without-secrets.ts';

export function isDatabase(place: string): boolean {
  return /^postgres(ql)?:/.test(place);
}

/** The place in a form that works in another process, whatever its working folder. */
export function absolutePlace(place: string): string {
  return isDatabase(place) ? place : resolve(place);
}

/** The place without its password, which may also be a parameter. */
export function shownPlace(place: string): string {
  return isDatabase(place) ? withoutSecretsInUri(place) : place;
}
