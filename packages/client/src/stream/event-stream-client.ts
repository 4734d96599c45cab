// The client of the event stream of a hub: journal events after a handshake, with a cursor.
import { type StreamEvent, streamEvent } from '../contract/event.ts';
import { FollowedStream, type FollowedStreamOptions } from './followed-stream.ts';

/** How the stream is requested, and the callbacks for its events and states. Default: from now on. */
export type EventStreamClientOptions = Omit<FollowedStreamOptions<StreamEvent>, 'parse' | 'isHandshake'>;

/**
 * Follows the event stream of a hub across lost connections and sleep.
 *
 * @example
 * new EventStreamClient({ clock: systemClock, request, event: console.log, state: console.log }).start();
 */
export class EventStreamClient extends FollowedStream<StreamEvent> {
  constructor(options: EventStreamClientOptions) {
    super({
      ...options,
      // A hub of another version may send more than is known here.
      parse: (data) => streamEvent.safeParse(data).data,
      isHandshake: ({ type }) => type === 'handshake',
    });
  }
}
