// Reads the `{"mcpServers": {name: …}}` map of other hosts. Fields that have no meaning here are ignored. Its servers are
// tracked, since the file of another host cannot say so.
import { createHash } from 'node:crypto';

const known = new Set([
  'command',
  'args',
  'env',
  'envFile',
  'url',
  'headers',
  'builtin',
  'description',
  'enabled',
  'trackResources',
  'pin',
  'tools',
  'sessionPerCaller',
  'workingDirectory',
]);

export interface LabelledEntry {
  entry: Record<string, unknown>;
  /** How error messages name it. */
  label: string;
  isTrackedByDefault?: boolean;
  /** In the map of a host, where a server that lacks a value is left out, instead of the whole file. */
  isOfHost?: boolean;
}

export function readHostMap(map: Record<string, Record<string, unknown>>): LabelledEntry[] {
  return Object.entries(map).map(([name, given]) => {
    const entry: Record<string, unknown> = { id: serverIdOf(name) };
    for (const [key, value] of Object.entries(given)) if (known.has(key)) entry[key] = value;
    if (given['cwd'] !== undefined) entry['workingDirectory'] ??= given['cwd'];
    if (given['disabled'] === true) entry['enabled'] ??= false;
    const isTrackedByDefault = entry['trackResources'] === undefined;
    if (isTrackedByDefault) entry['trackResources'] = true;
    return { entry, label: `server "${name}"`, isTrackedByDefault, isOfHost: true };
  });
}

/** Other hosts allow any name; ours appear in URIs and tool names. */
export function serverIdOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 32);
  // A name in another script gets an id that stays the same.
  return id === '' ? `server-${createHash('sha256').update(name).digest('hex').slice(0, 6)}` : id;
}
