// The status of one server as the hub's routes and commands show it.
import type { ServerStatus } from '@tidings/client/contract';
import type { ServerEntry } from '../config/config.ts';
import type { RememberedEra } from '../connection/era-memory.ts';
import type { ServerConnection } from '../connection/server-connection.ts';

interface StatusSources extends Pick<ServerStatus, 'detail' | 'held' | 'resources' | 'hashed' | 'address' | 'info'> {
  entry: ServerEntry;
  connection: ServerConnection;
  /** The last negotiated values, used while no session is open. */
  era: RememberedEra | undefined;
  isTracked: boolean;
  counts: Pick<ServerStatus, 'wanted' | 'subscribed' | 'polled'>;
}

export function statusOf({ entry, connection, era, isTracked, counts, ...rest }: StatusSources): ServerStatus {
  const { state, since, retryAt, failures, openings, session } = connection;
  return {
    id: entry.id,
    description: entry.description,
    state,
    since: new Date(since).toISOString(),
    retryAt: retryAt === undefined ? undefined : new Date(retryAt).toISOString(),
    era: session?.era ?? era?.era,
    eraSeen: era === undefined ? undefined : new Date(era.at).toISOString(),
    transport: 'command' in entry ? 'stdio' : 'url' in entry ? 'http' : 'memory',
    pid: session?.pid,
    enabled: entry.enabled,
    tracked: isTracked,
    pinned: entry.pin === true,
    failures,
    connects: openings,
    ...counts,
    ...rest,
  };
}

/** The address or command of a server; undefined for a built-in one. May contain secrets. */
export function addressInWords(entry: ServerEntry): string | undefined {
  if ('url' in entry) return entry.url;
  return 'command' in entry ? [entry.command, ...entry.args].join(' ') : undefined;
}
