// The options of a tracker.
import type { Bus, Clock } from '@tidings/live';
import type { TrackerLog } from '../base/log.ts';
import type { Config } from '../config/config.ts';
import type { LoginStore } from '../login/login-store.ts';
import type { Builtins } from '../connection/open/session-transport.ts';
import type { TrackerSettings } from './settings.ts';

/** What to follow, and how. Only `config` is required. */
export interface TrackerOptions {
  config: Config;
  /** A data folder or a postgres:// URL for the archive. Default: nothing is stored. */
  place?: string;
  /**
   * The name of this tracker's journal, if several trackers share a data folder: each journal records what its own
   * readers were told. Agreed definitions are shared. Default: the first journal of the folder.
   */
  journal?: string;
  /** The servers that `builtin` entries name; they run in this process. Default: none. */
  builtins?: Builtins;
  /** Windows, pauses and limits. Default: `defaultSettings`. */
  settings?: Partial<TrackerSettings>;
  /** Default: real time. */
  clock?: Clock;
  /** Numbers from 0 to 1, for the random part of pauses. Default: `Math.random`. */
  random?: () => number;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
  /** Where a server process gets its PATH, HOME and locale from. Default: `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Where logins at servers are stored. Default: a folder in the data folder; without one, nowhere. */
  logins?: LoginStore;
  /** The address at which users reach the hub, for commands that messages name. Default: a placeholder. */
  hubAddress?: () => string;
  /** Where failures are reported. Default: `stderrLog`. */
  log?: TrackerLog;
  /** The id of this node in a cluster on one PostgreSQL database. Default: no cluster. */
  node?: string;
  /** Wakes the other nodes. Default: PostgreSQL's NOTIFY. */
  bus?: Bus;
  /** Built-in servers whose state is in the shared database, so that they run on every node. Default: none. */
  sharedBuiltins?: readonly string[];
}
