// The error that a realtime session reports when it rejects an event. It refers to the client's event by its id.
// Parsed without a schema library, which pages would have to load for this alone.
import { isObject, shortLine } from '@tidings/live/portable';

const longestReason = 199;

interface RefusedEvent {
  /** The `event_id` of what was sent. */
  eventId: string;
  reason: string;
}

/** Undefined if the error is not about an event that was sent. `error` is what a transport's `error` event carries. */
export function refusedEvent(error: unknown): RefusedEvent | undefined {
  // The transport's event contains the message of the API, which contains the error.
  const inner = field(field(error, 'error'), 'error');
  const [eventId, message] = [field(inner, 'event_id'), field(inner, 'message')];
  if (typeof eventId !== 'string') return undefined;
  // In one line: it goes into transcripts and logs.
  const line = shortLine(typeof message === 'string' ? message : '', longestReason).replace(/\.$/, '');
  return { eventId, reason: line || 'it does not say why' };
}

function field(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
