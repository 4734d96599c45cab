// Writes log lines to stderr: as lines for a person where that is a terminal, otherwise as JSON, in which control
// characters that JSON leaves unescaped are escaped, since the file may be shown on a terminal later.
import { visibleJson } from '@tidings/live/portable';
import { type DestinationStream, pino } from 'pino';
import { logLine } from './log-line.ts';

export function logStream(
  destination: DestinationStream = pino.destination(2),
  isTerminal = process.stderr.isTTY,
): DestinationStream {
  const shown = isTerminal ? logLine : visibleJson;
  return { write: (line) => destination.write(shown(line)) };
}
