// What a tracker is made of.
import type { Bus, Clock } from '@tidings/live';
import type { TrackerLog } from './base/log.ts';
import type { Config } from './config/config.ts';
import type { Builtins } from './connection/session-attempt.ts';
import type { TrackerSettings } from './settings.ts';

/** What to follow, and with what. Only `config` is needed. */
export interface TrackerOptions {
  config: Config;
  /** A data folder or a postgres:// URL for the archive. Without it, nothing is stored. */
  place?: string;
  /**
   * The name of a journal of its own, where several trackers share a data folder: what a journal has told is what its
   * own readers hold. Definitions that were agreed to are shared.
   */
  journal?: string;
  /** The servers that `builtin` entries name, run in this process. */
  builtins?: Builtins;
  settings?: Partial<TrackerSettings>;
  clock?: Clock;
  random?: () => number;
  fetch?: typeof fetch;
  /** Where a server process gets its PATH, HOME and locale from. */
  env?: Readonly<Record<string, string | undefined>>;
  log?: TrackerLog;
  /** The id of this node among others on the same PostgreSQL database. Default: it is the only one. */
  node?: string;
  /** Wakes the other nodes instead of PostgreSQL. */
  bus?: Bus;
  /** The built-in servers whose state is in that database, so that they run on every node. */
  sharedBuiltins?: readonly string[];
}
