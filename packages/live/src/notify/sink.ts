// Where a subscriber's notifications go. A full socket and a session without its stream are the same
// thing to the notifier: a sink that is not ready.
import type { Watched } from './watched.ts';

export interface Sink {
  /** Whether a write would leave at once. When it turns true, the session calls `resume()`. */
  readonly ready: boolean;
  /** Sinks with the same wire encode the same thing alike. */
  readonly wire: string;
  /** The text of one notification, ASCII only, up to what differs between streams of this wire. */
  encode(watched: Watched): string;
  /** The rest of every notification of this stream. */
  readonly tail: string;
  /** Writes the frames of one flush. */
  write(frames: string): void;
  /** Ends the stream: what it stood for cannot be delivered any more. */
  end(reason: 'revoked' | 'failed'): void;
}
