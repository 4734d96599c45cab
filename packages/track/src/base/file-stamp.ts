// A text that differs whenever a file was written, replaced or removed.
import { systemCode } from '@tidings/live/portable';
import { statSync } from 'node:fs';

/** Never throws: whoever reads the file reports why it cannot be read. */
export function fileStamp(file: string): string {
  try {
    const stats = statSync(file, { bigint: true });
    return `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  } catch (error) {
    return systemCode(error) ?? String(error);
  }
}
