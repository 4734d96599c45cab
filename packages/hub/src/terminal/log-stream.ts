// Where log lines go: stderr, which may be a terminal. They are JSON, in which what servers wrote is quoted; the
// characters that JSON does not have to escape, but a terminal may obey, are escaped here.
import { visibleJson } from '@tidings/live/visible-text';
import { type DestinationStream, pino } from 'pino';

export function logStream(destination: DestinationStream = pino.destination(2)): DestinationStream {
  return { write: (line) => destination.write(visibleJson(line)) };
}
