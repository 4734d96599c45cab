// What an edit of the configuration changes for each server; other servers are not touched.
import { digestOf } from '@tidings/live/internal';
import type { Config, ServerEntry } from './config.ts';
import { isPerUser } from './per-user.ts';

export interface ConfigChange {
  added: readonly ServerEntry[];
  removed: readonly ServerEntry[];
  /** The address has changed: reconnect. */
  moved: readonly ServerEntry[];
  /** The same connection with other options. */
  adjusted: readonly ServerEntry[];
}

export function configChange(before: Config, after: Config): ConfigChange {
  const old = new Map(before.servers.map((entry) => [entry.id, entry]));
  const change = { added: [] as ServerEntry[], moved: [] as ServerEntry[], adjusted: [] as ServerEntry[] };
  for (const entry of after.servers) {
    const previous = old.get(entry.id);
    // The tracker must not keep what it knows of the server: contents of the operator's login are not for all callers.
    const isOther = previous !== undefined && isPerUser(previous) !== isPerUser(entry);
    if (!isOther) old.delete(entry.id);
    if (previous === undefined || isOther) change.added.push(entry);
    else if (addressDigest(previous) !== addressDigest(entry)) change.moved.push(entry);
    else if (JSON.stringify(previous) !== JSON.stringify(entry)) change.adjusted.push(entry);
  }
  return { ...change, removed: [...old.values()] };
}

/**
 * A digest of everything that decides what is connected to: entries with the same address reach the same server.
 * Only a digest, because it is stored and the entry contains secrets.
 */
export function addressDigest(entry: ServerEntry): string {
  const {
    id: _id,
    description: _description,
    enabled: _enabled,
    trackResources: _tracked,
    isTrackedByDefault: _default,
    leftOutReason: _leftOutReason,
    ...rest
  } = entry;
  // Values from the environment are also part of the other fields.
  const { filledIn: _filledIn, pin: _pin, tools: _tools, ...address } = rest;
  const text = JSON.stringify(Object.entries(address).sort(([a], [b]) => (a < b ? -1 : 1)));
  return digestOf(text);
}
