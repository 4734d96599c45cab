// The events that a watch reports. With --json, each is one line.
import type { Difference } from './difference.ts';

export type WatchEvent = { time: string } & (
  | { type: 'watching'; source: string; uris: string[] }
  | { type: 'updated'; uri: string; change: Difference; whileAway?: true }
  | { type: 'list_changed'; added: string[]; removed: string[]; whileAway?: true }
  /** The server does not announce its changes, so it is polled; or it cannot be read. */
  | { type: 'problem'; uri: string; problem: 'not_announced' | 'unreadable'; reason: string }
  | { type: 'lost'; reason: string; retryInMs: number }
  | { type: 'back'; source: string; uris: string[] }
);

type WithoutTime<T> = T extends unknown ? Omit<T, 'time'> : never;
export type Untimed = WithoutTime<WatchEvent>;
