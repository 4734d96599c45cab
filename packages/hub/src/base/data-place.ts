// Where state is kept: a folder of this machine, or a PostgreSQL database.
import { resolve } from 'node:path';
import { withoutSecretsInUri } from './without-secrets.ts';

export function isDatabase(place: string): boolean {
  return /^postgres(ql)?:/.test(place);
}

/** As another process would need it, wherever that runs. */
export function absolutePlace(place: string): string {
  return isDatabase(place) ? place : resolve(place);
}

/** Without a password, which may also be a parameter. */
export function shownPlace(place: string): string {
  return isDatabase(place) ? withoutSecretsInUri(place) : place;
}
