// Changes in the journal of resources that a hook's address chooses, whether or not they were read.
import type { TrackerEvent } from '@tidings/client/contract';
import type { TimeSlice } from '@tidings/live/time';
import type { Journal } from '@tidings/track';
import type { Permissions } from '../access/permissions.ts';
import { seenBy } from '../access/visible-event.ts';
import { resourceKey } from './read-changes.ts';
import type { HookSelection } from './hook-selection.ts';

interface ChosenChange {
  readonly serverId: string;
  readonly uri: string;
  changes: number;
}

interface ChosenChanges {
  /** The most recently changed first. */
  readonly changed: readonly ChosenChange[];
  /** Whether further changes may have been missed. */
  readonly hasGap: boolean;
}

interface JournalPart {
  readonly journal: Pick<Journal, 'at' | 'start'>;
  readonly from: number;
  readonly to: number;
  /** Shared by all hooks: each may compare the whole journal with a pattern. */
  readonly slice: TimeSlice;
}

export async function chosenChanges(
  { journal, from, to, slice }: JournalPart,
  permissions: Permissions,
  wanted: HookSelection,
): Promise<ChosenChanges> {
  const changed = new Map<string, ChosenChange>();
  let hasGap = from < journal.start;
  for (let position = Math.max(from, journal.start); position < to; position += 1) {
    for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
    const entry = journal.at(position);
    const event = entry && seenBy(permissions, entry.event);
    if (event === undefined) continue;
    hasGap ||= event.type === 'gap' && (event.serverId === undefined || wanted.hasServer(event.serverId));
    for (const [serverId, uri] of changedIn(event)) {
      if (!wanted.has(serverId, uri)) continue;
      const key = resourceKey(serverId, uri);
      const changes = (changed.get(key)?.changes ?? 0) + 1;
      changed.delete(key);
      changed.set(key, { serverId, uri, changes });
    }
  }
  return { changed: [...changed.values()].toReversed(), hasGap };
}

/** Removal is reported as an update. */
function changedIn(event: TrackerEvent): (readonly [serverId: string, uri: string])[] {
  if (event.type === 'resource_update') return [[event.serverId, event.resourceUri]];
  return event.type === 'list_changed' ? event.removed.map((uri) => [event.serverId, uri]) : [];
}
