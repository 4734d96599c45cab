// The hosts whose hooks the hub answers. Most of them drop `notifications/resources/updated`, so a hook is how their
// model gets to know that a resource has changed.

export const hookHosts = ['claude-code', 'codex', 'vscode', 'cursor', 'gemini'] as const;
export type HookHost = (typeof hookHosts)[number];

/** How the MCP clients of the hosts name themselves. Cursor's name has "vscode" in it. */
const clientNames: readonly (readonly [HookHost, RegExp])[] = [
  ['claude-code', /^claude.?code/i],
  ['codex', /codex/i],
  ['cursor', /cursor/i],
  ['vscode', /visual studio code|vscode/i],
  ['gemini', /gemini/i],
];

/** Whether a client is `tidings connect` or another tracker, which reads on its own account, too. */
export function isBridge(client: string): boolean {
  return client === 'tidings';
}

/** Whether a client is known to be of another host. A client of unknown name, such as a bridge, may be of any. */
export function isOfOtherHost(host: HookHost, client: string): boolean {
  const found = clientNames.find(([, name]) => name.test(client));
  return found !== undefined && found[0] !== host;
}
