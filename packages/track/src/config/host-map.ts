// Reads the `{"mcpServers": {name: …}}` map of other hosts. Fields that have no meaning here are ignored.

const known = new Set([
  'command',
  'args',
  'env',
  'url',
  'headers',
  'builtin',
  'description',
  'enabled',
  'trackResources',
  'pin',
  'workingDirectory',
]);

export interface PlacedEntry {
  entry: Record<string, unknown>;
  /** How error messages name it. */
  place: string;
}

export function readHostMap(map: Record<string, Record<string, unknown>>): PlacedEntry[] {
  return Object.entries(map).map(([name, given]) => {
    const entry: Record<string, unknown> = { id: idOf(name) };
    for (const [key, value] of Object.entries(given)) if (known.has(key)) entry[key] = value;
    if (given['cwd'] !== undefined) entry['workingDirectory'] ??= given['cwd'];
    if (given['disabled'] === true) entry['enabled'] ??= false;
    return { entry, place: `mcpServers.${name}` };
  });
}

/** Other hosts allow any name; ours appear in URIs and tool names. */
function idOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 32);
}
