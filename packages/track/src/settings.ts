// What can be set about a tracker, and what holds if it is not.
import type { HealthRhythm } from './connection/health-check.ts';
import type { PollBounds } from './subscription/polling.ts';

export interface TrackerSettings {
  /** Updates of one resource within this time may be repetitions. */
  windowMs: number;
  /** Contents up to this size are hashed and mirrored. */
  maxContentBytes: number;
  /** All mirrored contents together. */
  mirrorBytes: number;
  /** A larger message from a server is refused. */
  maxMessageBytes: number;
  /** Reads of one server that the tracker makes at the same time. */
  readsAtOnce: number;
  connectMs: number;
  readMs: number;
  /** How long a server may take to agree to a subscription. */
  subscribeMs: number;
  /** How often a server is asked whether it is there, and how long it may take to say so. */
  health: HealthRhythm;
  poll: PollBounds;
  /** How often the list of a server is looked at that does not tell of its changes. */
  pollListMs: number;
  journal: { entries: number; bytes: number };
  heartbeatMs: number;
  maxReaders: number;
}

export const defaultSettings: TrackerSettings = {
  windowMs: 2000,
  maxContentBytes: 1024 * 1024,
  mirrorBytes: 64 * 1024 * 1024,
  maxMessageBytes: 16 * 1024 * 1024,
  readsAtOnce: 8,
  connectMs: 20_000,
  readMs: 30_000,
  subscribeMs: 10_000,
  health: { everyMs: 3000, idleMs: 30_000, answerMs: 3000, shortestPulseMs: 1000 },
  poll: { usualMs: 15_000, shortestMs: 1000, longestMs: 300_000 },
  pollListMs: 30_000,
  journal: { entries: 10_000, bytes: 32 * 1024 * 1024 },
  heartbeatMs: 15_000,
  maxReaders: 10_000,
};
