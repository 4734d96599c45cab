// The name of a server's tool or prompt on `/mcp`: `{serverId}_{name}`. Hosts show it with a prefix of their own and
// accept letters, digits, "_" and "-", 64 of them together. A name that does not fit has a short form, which ends in a
// digest of the whole, so that it is always the same and no two are alike.
import { createHash } from 'node:crypto';

/** The hub's own tools on `/mcp`. A tool of a server that would have such a name has its short form. */
const ownNames = new Set(['list_changes', 'wait_for_change']);
const longestForHosts = 64;
const digestLength = 8;
/** Where the hub is called "tidings", as `tidings init` does. */
const defaultHostPrefix = 'mcp__tidings__';

/** How long a name may be, so that a host with this prefix accepts it. */
export function longestName(hostPrefix: string = defaultHostPrefix): number {
  return longestForHosts - hostPrefix.length;
}

export function passedName(serverId: string, name: string, longest: number): string {
  const whole = `${serverId}_${name}`;
  if (whole.length <= longest && /^[\w-]+$/.test(whole) && !ownNames.has(whole)) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, digestLength);
  const fitting = whole.slice(0, longest - digestLength - 1).replaceAll(/[^\w-]/g, '_');
  return `${fitting}_${digest}`;
}
