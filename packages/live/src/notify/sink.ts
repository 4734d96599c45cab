// Where a subscriber's notifications go. A full socket and a session without its stream are the same
// thing to the notifier: a sink that is not ready.
import type { Watched } from './watched.ts';

export interface Sink {
  /** Whether a write would leave at once. When it turns true, the session calls `resume()`. */
  readonly ready: boolean;
  /** Sinks with the same wire write the same text for the same thing. */
  readonly wire: string;
  /** The text of one notification on this wire, ASCII only. */
  frame(watched: Watched): string;
  /** Writes the frames of one flush. */
  write(frames: string): void;
  /** Ends the stream: what it stood for cannot be delivered any more. */
  end(reason: 'revoked' | 'failed'): void;
}
