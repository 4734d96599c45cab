// Writes log lines to stderr, which may be a terminal. They are JSON that quotes text of servers; control characters
// that JSON leaves unescaped, and that a terminal would interpret, are escaped here.
import { visibleJson } from '@tidings/live/visible-text';
import { type DestinationStream, pino } from 'pino';

export function logStream(destination: DestinationStream = pino.destination(2)): DestinationStream {
  return { write: (line) => destination.write(visibleJson(line)) };
}
