// A text that differs whenever a file was written, replaced or removed.
import { statSync } from 'node:fs';

export function fileStamp(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : 'none';
}
