// The server that the user named: the hub, any server over HTTP, or a command to start.
import type { ServerEntry } from '@tidings/track';

export type ServerTarget =
  | { kind: 'hub'; url: URL; token?: string | undefined }
  | { kind: 'server'; url: URL; token?: string | undefined }
  | { kind: 'command'; command: string; args: readonly string[] };

/** The name of the target in messages to the user. */
export function targetName(target: ServerTarget): string {
  if (target.kind === 'command') return [target.command, ...target.args].join(' ');
  // An address may hold a password, and output may be kept in a log.
  const shown = new URL(target.url);
  shown.username = '';
  shown.password = '';
  return target.kind === 'hub' ? `the hub at ${shown.origin}` : shown.href;
}

/** The target as an entry of the tracker's configuration. */
export function serverEntryOf(target: ServerTarget): ServerEntry {
  const common = { id: target.kind === 'hub' ? 'hub' : 'server', enabled: true, trackResources: false };
  if (target.kind === 'command') {
    return { ...common, command: target.command, args: [...target.args], env: {}, inheritsAll: true };
  }
  const headers: Record<string, string> = target.token ? { Authorization: `Bearer ${target.token}` } : {};
  return { ...common, url: target.url.href, headers };
}

/** The hub's MCP endpoint; an address that already names one is left as it is. */
export function hubEndpoint(hub: URL): URL {
  const endpoint = new URL(hub);
  if (!/\/mcp(\/[^/]+)?\/?$/.test(endpoint.pathname)) {
    endpoint.pathname = `${endpoint.pathname.replace(/\/$/, '')}/mcp`;
  }
  return endpoint;
}

/** One server of the hub, under its own names. */
export function serverEndpoint(endpoint: URL, id: string): URL {
  const server = new URL(endpoint);
  server.pathname = `${endpoint.pathname.replace(/\/mcp(\/[^/]+)?\/?$/, '')}/mcp/${encodeURIComponent(id)}`;
  return server;
}
