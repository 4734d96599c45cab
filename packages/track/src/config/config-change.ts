// What an edit of the configuration means for each server, so that only those it touches are touched.
import { createHash } from 'node:crypto';
import type { Config, ServerEntry } from './config.ts';

export interface ConfigChange {
  added: readonly ServerEntry[];
  removed: readonly ServerEntry[];
  /** Another way to reach the server: it has to be connected to anew. */
  moved: readonly ServerEntry[];
  /** The same connection, wanted differently. */
  adjusted: readonly ServerEntry[];
}

export function configChange(before: Config, after: Config): ConfigChange {
  const old = new Map(before.servers.map((entry) => [entry.id, entry]));
  const change = { added: [] as ServerEntry[], moved: [] as ServerEntry[], adjusted: [] as ServerEntry[] };
  for (const entry of after.servers) {
    const previous = old.get(entry.id);
    old.delete(entry.id);
    if (previous === undefined) change.added.push(entry);
    else if (addressOf(previous) !== addressOf(entry)) change.moved.push(entry);
    else if (JSON.stringify(previous) !== JSON.stringify(entry)) change.adjusted.push(entry);
  }
  return { ...change, removed: [...old.values()] };
}

/**
 * Stands for everything that decides what is connected to: entries with the same address reach the same
 * server. A digest, because there are secrets among it and it is kept.
 */
export function addressOf(entry: ServerEntry): string {
  const { id: _id, description: _description, enabled: _enabled, trackResources: _tracked, ...rest } = entry;
  // What is filled in stands among the rest too.
  const { filledIn: _filledIn, pin: _pin, ...address } = rest;
  const text = JSON.stringify(Object.entries(address).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(text).digest('base64url');
}

/** The commands a configuration would start, as one text: when it changes, consent has to be asked for again. */
export function commandsOf(config: Config): string {
  return config.servers.flatMap((entry) => ('command' in entry ? [`${entry.id} ${addressOf(entry)}`] : [])).join('\n');
}
