// What a configuration asks consent for, one power on each line. The author of the configuration chose the texts, so
// none of them may look like several lines, or move the others out of sight.
import { shortened } from '@tidings/live/portable';
import type { Power } from '@tidings/track/internal';

const longest = 1000;
const mostLines = 20;

export function shownPowers(powers: readonly Pick<Power, 'words'>[]): string {
  const lines = powers.slice(0, mostLines).map(({ words }) => `  ${onOneLine(words)}`);
  const more = powers.length > mostLines ? [`  … and ${powers.length - mostLines} more: review them first`] : [];
  return [...lines, ...more].join('\n');
}

function onOneLine(words: string): string {
  const line = words.replaceAll(/[\n\r\t]/g, (found) => JSON.stringify(found).slice(1, -1));
  if (line.length <= longest) return line;
  return `${shortened(line, longest)} and ${line.length - longest} more characters: review it first`;
}
