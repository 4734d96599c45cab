// Text of others in one short line, for a message that a person or a model may read.
import { shortened } from './shortened.ts';

/** Line breaks, escapes and invisible characters become spaces; long text is cut. */
export function shortLine(text: string, longest = 200): string {
  const line = text
    .slice(0, longest * 10)
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  return shortened(line, longest);
}
