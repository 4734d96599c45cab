// The extensions of the protocol that either side declares. Their additions to messages pass through the gateway
// unchanged, so each side is shown the other's extensions.
import type { ServerCapabilities } from '@modelcontextprotocol/client';

type Extensions = NonNullable<ServerCapabilities['extensions']>;

/** Extensions that the hub declares itself: it handles tasks for every caller (`relay/task/task-calls.ts`). */
const ownToServers = new Set(['io.modelcontextprotocol/tasks']);

/** The extensions of a client that are passed on to servers; undefined if there are none. */
export function passedExtensions(extensions: Extensions | undefined): Extensions | undefined {
  const passed = Object.entries(extensions ?? {}).filter(([name]) => !ownToServers.has(name));
  return passed.length === 0 ? undefined : Object.fromEntries(passed);
}

type Declared = Pick<ServerCapabilities, 'extensions' | 'experimental'>;

/** The extensions of several servers; the first that declares one decides on its settings. */
export function mergedExtensions(all: readonly ServerCapabilities[]): Declared {
  const extensions = merged(all.map((each) => each.extensions));
  const experimental = merged(all.map((each) => each.experimental));
  return { ...(extensions && { extensions }), ...(experimental && { experimental }) };
}

function merged<Settings>(
  all: readonly (Record<string, Settings> | undefined)[],
): Record<string, Settings> | undefined {
  const found: Record<string, Settings> = {};
  for (const each of all) for (const [name, settings] of Object.entries(each ?? {})) found[name] ??= settings;
  return Object.keys(found).length === 0 ? undefined : found;
}
