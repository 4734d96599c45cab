// Whether a file was edited.
import { systemCode } from '@tidings/live/portable';
import { statSync } from 'node:fs';

/**
 * A text that differs whenever a file was written, replaced or removed. Never throws: a file that cannot be read is
 * reported where it is read.
 *
 * @example
 * const since = fileStamp('servers.json');
 */
export function fileStamp(file: string): string {
  try {
    const stats = statSync(file, { bigint: true });
    return `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  } catch (error) {
    return systemCode(error) ?? String(error);
  }
}
