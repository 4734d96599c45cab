// The port through which a subscriber's notifications are written. To the notifier, a full socket and a session without
// its stream are the same: a sink that is not ready.
import type { Watched } from './watched.ts';

export interface Sink {
  /** Whether a write would be sent at once. When this becomes true, the session calls `resume()`. */
  readonly ready: boolean;
  /** The name of the encoding: sinks with the same one share the result of `encode`. */
  readonly wire: string;
  /** The part of a notification that is the same for all streams of this encoding, as ASCII. */
  encode(watched: Watched): string;
  /** The rest of a notification, which is the same for all notifications of this stream. */
  readonly tail: string;
  /** Writes the frames of one flush. */
  write(frames: string): void;
  /** Ends the stream, because its notifications can no longer be delivered. */
  end(reason: 'revoked' | 'failed'): void;
}
