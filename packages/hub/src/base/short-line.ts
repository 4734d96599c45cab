// Text of a server, quoted in a message of the hub that a model may read.
import { shortened } from '@tidings/live/portable';

const longest = 200;

/** Line breaks, escapes and invisible characters become spaces; long text is cut. */
export function shortLine(text: string): string {
  const line = text
    .slice(0, longest * 10)
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  return shortened(line, longest);
}
