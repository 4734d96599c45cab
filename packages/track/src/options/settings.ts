// The settings of a tracker, and their defaults.
import type { Config } from '../config/config.ts';
import type { HealthRhythm } from '../connection/session/health-check.ts';
import type { VersionBounds } from '../mirror/versions.ts';
import type { PollBounds } from '../subscription/polling.ts';

/** How long the tracker waits and how much it keeps. The defaults are `defaultSettings`. */
export interface TrackerSettings {
  /** Updates of one resource within this time are merged. */
  windowMs: number;
  /** Contents up to this size are hashed and mirrored. */
  maxContentBytes: number;
  /** Limit of all mirrored contents together. */
  mirrorBytes: number;
  /** Limits of the versions kept; a configuration may override them. */
  versions: VersionBounds;
  /** Larger messages from a server are refused. */
  maxMessageBytes: number;
  /** How many reads of one server the tracker sends at the same time. */
  readsAtOnce: number;
  connectMs: number;
  /** How long a server may take to answer in 2026-07-28 before it is tried in the 2025 era; longer after failures. */
  probeMs: number;
  readMs: number;
  /** How long a server may take to answer a subscription. */
  subscribeMs: number;
  /** How often a server is checked, and how long it may take to answer. */
  health: HealthRhythm;
  poll: PollBounds;
  /**
   * If a stream without keep-alive comments is silent for this long, some resources are read to see whether it is dead.
   */
  silentMs: number;
  /** How often a list is read if the server does not notify its changes. */
  pollListMs: number;
  journal: { entries: number; bytes: number };
  heartbeatMs: number;
  maxReaders: number;
}

/**
 * The default settings of a tracker.
 *
 * @example
 * await openTracker({ config, settings: { windowMs: defaultSettings.windowMs / 2 } });
 */
export const defaultSettings: TrackerSettings = {
  windowMs: 2000,
  maxContentBytes: 6 * 1024 * 1024,
  mirrorBytes: 64 * 1024 * 1024,
  versions: { count: 20, bytes: 64 * 1024 * 1024 },
  maxMessageBytes: 16 * 1024 * 1024,
  readsAtOnce: 8,
  connectMs: 20_000,
  probeMs: 3000,
  readMs: 30_000,
  subscribeMs: 10_000,
  health: { everyMs: 2000, idleMs: 30_000, answerMs: 3000, shortestPulseMs: 1000 },
  poll: { usualMs: 15_000, shortestMs: 1000, longestMs: 300_000 },
  silentMs: 16_000,
  pollListMs: 30_000,
  journal: { entries: 10_000, bytes: 32 * 1024 * 1024 },
  heartbeatMs: 15_000,
  maxReaders: 10_000,
};

/** The bounds of the configuration, or else those of the settings. */
export function versionBounds({ versions }: Config, settings: TrackerSettings): VersionBounds {
  if (versions === undefined) return settings.versions;
  return { count: versions.count, bytes: versions.megabytes * 1024 * 1024 };
}
