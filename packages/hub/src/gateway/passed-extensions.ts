// The extensions of the protocol that either side declares. Their additions to messages pass through the gateway
// unchanged, so each side is shown the other's extensions.
import type { ServerCapabilities } from '@modelcontextprotocol/client';

type Extensions = NonNullable<ServerCapabilities['extensions']>;

/** The hub takes tasks for every caller (`relay/task-calls.ts`), so it declares that itself. */
const ownToServers = new Set(['io.modelcontextprotocol/tasks']);

/** Those of a client, for servers. Undefined if there are none. */
export function passedExtensions(extensions: Extensions | undefined): Extensions | undefined {
  const passed = Object.entries(extensions ?? {}).filter(([name]) => !ownToServers.has(name));
  return passed.length === 0 ? undefined : Object.fromEntries(passed);
}

/** Those of several servers; the first that declares one decides on its settings. */
export function mergedExtensions(all: Iterable<ServerCapabilities>): Extensions | undefined {
  const merged: Extensions = {};
  for (const { extensions } of all) {
    for (const [name, settings] of Object.entries(extensions ?? {})) merged[name] ??= settings;
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}
