// The hooks for a host's file.
import type { Installation } from './entries.ts';
import type { HookWay, HookedHost } from './hooked-host.ts';

export type HookEntry = Readonly<Record<string, unknown>>;
export type HookEntries = Readonly<Record<HookWay, HookEntry>>;

/** A host gives up on the hub after this time, and continues. */
const httpSeconds = 2;

type HookInstallation = Pick<Installation, 'node' | 'bin' | 'hub' | 'hasToken'> & { platform: string };

export function hookEntriesFor(host: HookedHost, installation: HookInstallation): HookEntries {
  return {
    http: httpEntry(host, installation),
    command: { ...host.command, command: commandLine(host, installation), timeout: host.timeout },
  };
}

/** The hooks in the form of the host's file. */
export function hookSnippet(host: HookedHost, entries: HookEntries): Record<string, unknown> {
  const listed = Object.entries(host.events).map(([event, way]) => [event, [inGroup(host, entries[way])]]);
  return { ...host.required, hooks: Object.fromEntries(listed) };
}

export function inGroup({ hasGroups }: HookedHost, entry: HookEntry): object {
  return hasGroups ? { hooks: [entry] } : entry;
}

function httpEntry({ name }: HookedHost, { hub, hasToken }: HookInstallation): HookEntry {
  return {
    type: 'http',
    url: new URL(`/hooks/${name}`, hub).href,
    timeout: httpSeconds,
    // The token stays in the environment.
    ...(hasToken && {
      headers: { Authorization: 'Bearer $TIDINGS_TOKEN' },
      allowedEnvVars: ['TIDINGS_TOKEN'],
    }),
  };
}

function commandLine({ name }: HookedHost, { node, bin, hub, platform }: HookInstallation): string {
  const words = [node, bin, 'hook', name, '--hub', hub.origin];
  return words.map((word) => quoted(word, platform)).join(' ');
}

/** For the shell in which hosts run commands. */
function quoted(word: string, platform: string): string {
  if (platform === 'win32') return /[\s&()^;,]/.test(word) ? `"${word}"` : word;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
