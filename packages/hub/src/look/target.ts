// What the user named to be looked at: the hub, any server over HTTP, or a command to start.

export type Target =
  | { kind: 'hub'; url: URL; token?: string | undefined }
  | { kind: 'server'; url: URL; token?: string | undefined }
  | { kind: 'command'; command: string; args: readonly string[] };

/** As it is shown to the user. */
export function nameOf(target: Target): string {
  if (target.kind === 'command') return [target.command, ...target.args].join(' ');
  // An address may hold a password, and what is shown may be kept in a log.
  const shown = new URL(target.url);
  shown.username = '';
  shown.password = '';
  return target.kind === 'hub' ? `the hub at ${shown.origin}` : shown.href;
}

/** The hub's MCP endpoint; an address that already names one is left as it is. */
export function hubEndpoint(hub: URL): URL {
  const endpoint = new URL(hub);
  if (!/\/mcp(\/[^/]+)?\/?$/.test(endpoint.pathname)) {
    endpoint.pathname = `${endpoint.pathname.replace(/\/$/, '')}/mcp`;
  }
  return endpoint;
}
