// The port of a bus between processes. It is quick and may lose messages: what relies on it has another way to find out
// what changed, or treats everything as stale after `onGap`.
import type { Want } from './change.ts';

/** How processes notify each other of topics. `@tidings/bus` implements it over NATS. */
export interface Bus {
  /** Tells every other process that wants one of these topics. `space` names what belongs together. */
  publish(space: string, topics: readonly string[]): void;
  /**
   * Calls `told` when another process has published the topic, perhaps together with others; without topics, where
   * there were too many to name. The process is notified of wanted topics only.
   */
  want(space: string, topic: string, told: (topics: readonly string[] | undefined) => void): Want;
  /** Calls `listener` when messages may have been lost. Returns how to stop. */
  onGap(listener: () => void): () => void;
  close(): Promise<void>;
}
