// The error that a realtime session reports when it refuses what it was sent. It names the client's event by its id.
// Read without a schema library, which pages would have to load for this alone.

const longestReason = 200;

export interface RefusedEvent {
  /** The `event_id` of what was sent. */
  eventId: string;
  reason: string;
}

/** Undefined where the error is about nothing that was sent. `error` is what a transport's `error` event carries. */
export function refusedEvent(error: unknown): RefusedEvent | undefined {
  // The transport's own event, in it the message of the API, in it the error.
  const inner = field(field(error, 'error'), 'error');
  const [eventId, message] = [field(inner, 'event_id'), field(inner, 'message')];
  if (typeof eventId !== 'string') return undefined;
  // In one line, and as a part of a sentence: it goes into transcripts and logs.
  const text = typeof message === 'string' ? message : '';
  const line = text
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .replace(/\.$/, '');
  if (line === '') return { eventId, reason: 'it does not say why' };
  return { eventId, reason: line.length > longestReason ? `${line.slice(0, longestReason - 1)}…` : line };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
