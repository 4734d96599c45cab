// Parses the whole events of a piece of an event stream. For what is read without the SDK: its stream parser keeps the
// state of one long stream, and does not report what decides here, such as the id of an event without data.

export interface ParsedSseEvent {
  /** The lines of its data; undefined if it has none. */
  data: string | undefined;
  /** Whether its type is `message`, as it is without a type. The SDK ignores other events. */
  isMessage: boolean;
  /** Whether it is a message of one line of data, with nothing else but its type. */
  isPlain: boolean;
}

/** The text ends with a blank line, and its lines end in LF (see `LineEnds`). Comments count as events without data. */
export function streamEvents(text: string): ParsedSseEvent[] {
  const events: ParsedSseEvent[] = [];
  let event: ParsedSseEvent | undefined;
  for (let at = 0, end = text.indexOf('\n'); end !== -1; at = end + 1, end = text.indexOf('\n', at)) {
    if (end === at) {
      if (event) events.push(event);
      event = undefined;
      continue;
    }
    event ??= { data: undefined, isMessage: true, isPlain: true };
    const line = valueOf('data', text, at, end);
    if (line !== undefined) {
      event.isPlain &&= event.data === undefined;
      event.data = event.data === undefined ? line : `${event.data}\n${line}`;
      continue;
    }
    const type = valueOf('event', text, at, end);
    if (type !== undefined) event.isMessage = type === '' || type === 'message';
    event.isPlain &&= type !== undefined && event.isMessage;
  }
  return events;
}

const [space, colon] = [' ', ':'].map((character) => character.charCodeAt(0));

/** Undefined if the line is another field. */
function valueOf(field: string, text: string, at: number, end: number): string | undefined {
  if (!text.startsWith(field, at)) return undefined;
  const name = at + field.length;
  if (name === end) return '';
  if (text.charCodeAt(name) !== colon) return undefined;
  return text.slice(text.charCodeAt(name + 1) === space ? name + 2 : name + 1, end);
}
