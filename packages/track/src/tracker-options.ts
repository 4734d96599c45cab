// The options of a tracker.
import type { Bus, Clock } from '@tidings/live';
import type { TrackerLog } from './base/log.ts';
import type { Config } from './config/config.ts';
import type { Builtins } from './connection/session-attempt.ts';
import type { TrackerSettings } from './settings.ts';

/** What to follow, and with what. Only `config` is needed. */
export interface TrackerOptions {
  config: Config;
  /** A data folder or a postgres:// URL for the archive. Default: nothing is stored. */
  place?: string;
  /**
   * The name of a journal of its own, where several trackers share a data folder: what a journal has told is what its
   * own readers hold. Definitions that were agreed to are shared. Default: the first of the folder.
   */
  journal?: string;
  /** The servers that `builtin` entries name, run in this process. Default: none. */
  builtins?: Builtins;
  /** Windows, pauses and limits. Default: `defaultSettings`. */
  settings?: Partial<TrackerSettings>;
  /** Default: real time. */
  clock?: Clock;
  /** From 0 to 1, for pauses. Default: `Math.random`. */
  random?: () => number;
  /** Default: the global one. */
  fetch?: typeof fetch;
  /** Where a server process gets its PATH, HOME and locale from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Where failures are reported. Default: `stderrLog`. */
  log?: TrackerLog;
  /** The id of this node among others on the same PostgreSQL database. Default: it is the only one. */
  node?: string;
  /** Wakes the other nodes. Default: PostgreSQL does. */
  bus?: Bus;
  /** The built-in servers whose state is in that database, so that they run on every node. Default: none. */
  sharedBuiltins?: readonly string[];
}
