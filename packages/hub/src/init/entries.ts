// The entries for a host's file: the hub's address where the host accepts one, otherwise a command for each server.
import type { Host } from './host.ts';

export type Entry =
  | { type?: 'http'; url: string; headers?: Record<string, string> }
  | { type?: 'stdio'; command: string; args: string[] };

export interface Installation {
  /** Absolute paths: a host may have another PATH. */
  node: string;
  bin: string;
  servers: readonly string[];
  hub: URL;
  /** Whether the hub requires a token. The token itself stays in the environment. */
  hasToken: boolean;
  data?: string | undefined;
}

export type Way = 'hub' | 'stdio';

/** The entries by their names in the host's file. */
export function entriesFor(host: Host, way: Way, installation: Installation): Record<string, Entry> {
  if (way === 'hub') return { tidings: hubEntry(host, installation) };
  return Object.fromEntries(
    installation.servers.map((server) => [`tidings-${server}`, commandEntry(host, server, installation)]),
  );
}

function hubEntry(host: Host, { hub, hasToken }: Installation): Entry {
  return {
    ...(host.namesType && { type: 'http' }),
    url: hub.href,
    ...(hasToken && { headers: { Authorization: `Bearer ${host.variable('TIDINGS_TOKEN')}` } }),
  };
}

function commandEntry(host: Host, server: string, { node, bin, data }: Installation): Entry {
  return {
    ...(host.namesType && { type: 'stdio' }),
    command: node,
    args: [bin, 'serve', server, ...(data === undefined ? [] : ['--data', data])],
  };
}
