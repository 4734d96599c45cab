// sqlite-vec, which compares vectors inside SQLite. It comes as a binary for each platform; where there is
// none, everything works but search by meaning.
import type { Log } from '@tidings/live';
import { getLoadablePath } from 'sqlite-vec';

export function vectorExtensions(log: Log): string[] {
  try {
    return [getLoadablePath()];
  } catch (error) {
    log.warn({ err: error }, 'Search by meaning is not possible: sqlite-vec has no build for this platform.');
    return [];
  }
}
