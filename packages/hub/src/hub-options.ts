// What a hub is opened with.
import type { Bus, Clock } from '@tidings/live';
import type { Config, LoginStore, TrackerLog } from '@tidings/track';
import type { BuiltinServers } from './builtins.ts';
import type { SampleData } from './demo/sample-data.ts';
import type { UserBounds } from './gateway/caller-gateways.ts';
import type { HttpLimits } from '@tidings/live/internal';
import type { ConfigEditor } from './http/route/config-editor.ts';

export interface HubOptions {
  config: Config;
  builtins: BuiltinServers;
  /** A data folder or a postgres:// URL. */
  place: string;
  /** The unlimited token. */
  token?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  allowedHosts: readonly string[];
  /** The folder of the built dashboard. */
  pages?: string | undefined;
  demo?: SampleData;
  /** Edits the configuration file, if there is one. */
  editor?: ConfigEditor | undefined;
  /** In a cluster: the id of this node, and its address for other nodes if it is not the one it listens on. */
  node?: { id: string; url?: string | undefined };
  /** Wakes the other nodes. */
  bus?: Bus | undefined;
  /** Where logins at servers are stored. Default: in the data folder. */
  logins?: LoginStore;
  limits?: Partial<HttpLimits>;
  /** Bounds of users with connections of their own. */
  users?: Partial<UserBounds>;
  clock?: Clock;
  log: TrackerLog;
}
