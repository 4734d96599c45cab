// The name of a server's tool or prompt on `/mcp`: `{serverId}_{name}`. Hosts add a prefix of their own, and accept 64
// letters, digits, "_" and "-" in all. A name that does not fit has a short form that ends in a digest of the whole name,
// so it is stable and unique. A name that equals the short form of another tool of its server, or a tool of the hub
// itself, gets a short form too.
// Server ids have no "_", so names of two servers always differ.
import { digestOf } from '@tidings/live/internal';
import { ownTools } from './own-tools.ts';

const longestForHosts = 64;
const digestLength = 8;
/** The prefix if the hub is named "tidings" in the host, as `tidings init` does. */
const defaultHostPrefix = 'mcp__tidings__';

/** How long a name may be, so that a host with this prefix accepts it. */
export function longestName(hostPrefix: string = defaultHostPrefix): number {
  return longestForHosts - hostPrefix.length;
}

export function passedName(serverId: string, name: string, longest: number): string {
  const whole = `${serverId}_${name}`;
  return fits(whole, longest) ? whole : shortForm(whole, longest);
}

/**
 * The names on `/mcp` of all tools, or all prompts, of one server, by the server's own names. The result does not
 * depend on their order.
 */
export function passedNames(serverId: string, names: Iterable<string>, longest: number): Map<string, string> {
  const wholes = [...names].toSorted().map((name) => ({ name, whole: `${serverId}_${name}` }));
  const short = wholes.filter(({ whole }) => !fits(whole, longest));
  const passed = new Map<string, string>();
  const taken = new Set<string>();
  for (const { name, whole } of [...short, ...wholes]) {
    if (passed.has(name)) continue;
    let free = passedName(serverId, name, longest);
    for (let salt = 1; taken.has(free); salt += 1) free = shortForm(whole, longest, salt);
    taken.add(free);
    passed.set(name, free);
  }
  return passed;
}

function fits(whole: string, longest: number): boolean {
  return whole.length <= longest && /^[\w-]+$/.test(whole) && !ownTools.has(whole);
}

/** Another `salt` gives another short form. */
function shortForm(whole: string, longest: number, salt = 0): string {
  const text = salt === 0 ? whole : JSON.stringify([whole, salt]);
  const digest = digestOf(text, 'hex').slice(0, digestLength);
  const fitting = whole.slice(0, longest - digestLength - 1).replaceAll(/[^\w-]/g, '_');
  return `${fitting}_${digest}`;
}
