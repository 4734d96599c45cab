// Where state is kept: a folder of this machine, or a PostgreSQL database.
import { resolve } from 'node:path';

export function isDatabase(place: string): boolean {
  return /^postgres(ql)?:/.test(place);
}

/** As another process would need it, wherever that runs. */
export function absolutePlace(place: string): string {
  return isDatabase(place) ? place : resolve(place);
}

/** Without a password. */
export function shownPlace(place: string): string {
  return place.replace(/(:\/\/[^:/@]*):[^@]*@/, '$1:…@');
}
