// Recognises the hooks of Tidings in a host's file. One with an outdated address gets the current one, and keeps every
// option that the user gave it.
import { isLoopback } from '@tidings/live/internal';
import { parsedUrl } from '@tidings/live/portable';
import type { HookEntries, HookEntry } from './hook-entries.ts';
import type { HookWay, HookedHost } from './hooked-host.ts';

type PresentHook = Readonly<Record<string, unknown>>;

/** Undefined if the hook is not ours. An older address or place of ours counts too. */
export function ownWayOf({ name }: HookedHost, hook: PresentHook, entries: HookEntries): HookWay | undefined {
  const { url, command } = hook;
  if (typeof command === 'string' && new RegExp(String.raw`tidings(\.js)?['"]? hook ${name}(\s|$)`).test(command)) {
    return 'command';
  }
  const address = typeof url === 'string' ? parsedUrl(url) : undefined;
  if (address?.pathname !== `/hooks/${name}`) return undefined;
  return isOfHub(hook, address, entries.http) ? 'http' : undefined;
}

/** Other programs may have the same path. A hub elsewhere needs a token, and `init` writes the name of its variable. */
function isOfHub({ headers }: PresentHook, { origin, hostname }: URL, { url }: HookEntry): boolean {
  return (
    isLoopback(hostname) ||
    String(url).startsWith(`${origin}/`) ||
    (JSON.stringify(headers) ?? '').includes('TIDINGS_TOKEN')
  );
}

/** Equal to the hook if it is current. */
export function renewed(host: HookedHost, hook: PresentHook, way: HookWay, entry: HookEntry): PresentHook {
  const { url, command } = entry;
  const address =
    way === 'http'
      ? { url: `${String(url)}${queryOf(String(hook['url']))}` }
      : { command: renewedCommand(host, String(hook['command']), String(command)) };
  const { headers = entry['headers'], allowedEnvVars = entry['allowedEnvVars'] } = hook;
  return {
    ...hook,
    ...address,
    ...(headers !== undefined && { headers }),
    ...(allowedEnvVars !== undefined && { allowedEnvVars }),
  };
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

/** One word of a command line, with its quotes. An assignment of a variable does not match. */
const word = String.raw`(?!\w+=)(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+`;

/** A command within another one was written by the user, and stays as it is. */
function renewedCommand({ name }: HookedHost, command: string, current: string): string {
  const found = new RegExp(`^(?:${word} )?${word} hook ${name}(\\s.*)?$`, 's').exec(command);
  if (found === null) return command;
  const [, options = ''] = found;
  return `${current}${options.replace(new RegExp(` --hub[ =]${word}`), '')}`;
}
