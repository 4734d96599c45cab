// The settings of a tracker, and their defaults.
import type { HealthRhythm } from './connection/health-check.ts';
import type { PollBounds } from './subscription/polling.ts';

export interface TrackerSettings {
  /** Updates of one resource within this time are merged. */
  windowMs: number;
  /** Contents up to this size are hashed and mirrored. */
  maxContentBytes: number;
  /** Of all mirrored contents together. */
  mirrorBytes: number;
  /** Larger messages from a server are rejected. */
  maxMessageBytes: number;
  /** Reads of one server that the tracker makes at the same time. */
  readsAtOnce: number;
  connectMs: number;
  readMs: number;
  /** How long a server may take to answer a subscription. */
  subscribeMs: number;
  /** How often a server is checked, and how long it may take to answer. */
  health: HealthRhythm;
  poll: PollBounds;
  /** How often a list is read whose changes are not notified. */
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
  health: { everyMs: 2000, idleMs: 30_000, answerMs: 3000, shortestPulseMs: 1000 },
  poll: { usualMs: 15_000, shortestMs: 1000, longestMs: 300_000 },
  pollListMs: 30_000,
  journal: { entries: 10_000, bytes: 32 * 1024 * 1024 },
  heartbeatMs: 15_000,
  maxReaders: 10_000,
};
