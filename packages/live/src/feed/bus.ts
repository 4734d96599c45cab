// The port of a message bus between processes. It is fast and may lose messages: its users have another way to learn of
// changes, or treat everything as stale after `onGap`.
import type { Want } from './change.ts';

/** How processes notify each other of topics. `@tidings/bus` implements it over NATS. */
export interface Bus {
  /**
   * Notifies every other process that wants one of these topics. `space` separates data that do not belong together.
   */
  publish(space: string, topics: readonly string[]): void;
  /**
   * Calls `heard` when another process publishes this topic, perhaps with others; with undefined if there were too many
   * topics to list. A change that concerns several wants comes to each of them, with the same list. Only processes that
   * want a topic are notified of it.
   */
  want(space: string, topic: string, heard: (topics: readonly string[] | undefined) => void): Want;
  /** Calls `listener` when messages may have been lost. Returns a function that stops this. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}
