// Where logins at servers are stored: in the data folder. Where the data is in a database, in the user's own data folder
// on this machine, since a reader of the database must not get them.
import { isDatabase } from '../base/data-place.ts';
import { userDataFolder } from './user-data-folder.ts';

export function loginFolder(place: string): string {
  return isDatabase(place) ? userDataFolder() : place;
}

/** For commands without --data. */
export function usualLoginFolder(env: NodeJS.ProcessEnv = process.env): string {
  return loginFolder(env['TIDINGS_DATA'] || userDataFolder(env));
}
