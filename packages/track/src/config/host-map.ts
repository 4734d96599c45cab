// Reads the `{"mcpServers": {name: …}}` map of other hosts. Unknown fields are ignored. Its servers are tracked, since
// another host's file cannot ask for that.
import { digestOf } from '@tidings/live/internal';

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
  'login',
  'workingDirectory',
]);

export interface LabelledEntry {
  entry: Record<string, unknown>;
  /** Its name in error messages. */
  label: string;
  isTrackedByDefault?: boolean;
  /**
   * Whether the entry is from another host's map: then a missing value disables the server, instead of the whole file.
   */
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

/** The id of a server: other hosts allow any name, but ids appear in URIs and tool names. */
export function serverIdOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 32)
    .replace(/-$/, '');
  // A name without Latin letters or digits gets a stable id.
  return id === '' ? `server-${digestOf(name, 'hex').slice(0, 6)}` : id;
}
