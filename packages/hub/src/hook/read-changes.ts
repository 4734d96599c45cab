// Resources that clients of a host have read or subscribed to, and that have changed since.
import type { TimeSlice } from '@tidings/live/time';
import type { CountedChanges } from '../base/counted-changes.ts';
import type { ChangedUri } from '../base/named-uris.ts';
import type { Permissions } from '../access/permissions.ts';
import { type HookHost, isBridge, isOfOtherHost } from './hook-host.ts';
import type { HookSelection } from './hook-selection.ts';

/** A resource that a client has read, with its changes since then. */
export interface ReadByClient extends CountedChanges {
  readonly serverId: string;
  readonly uri: string;
  /** The URI that the client used. */
  readonly requestedUri: string;
  /** The name of the client. */
  readonly client: string;
  /** Whether the client belongs to one session; several sessions may use clients of the same name. */
  readonly isOfOneSession: boolean;
  /** The changes that preceded the latest read. */
  readonly earlier: CountedChanges;
}

interface ReadChanges {
  /** The most recently changed first. */
  readonly changed: readonly ChangedUri[];
  /** Keys of the resources that were read: they are not named a second time as chosen ones. */
  readonly known: ReadonlySet<string>;
  /** Whether one of them has its first change since the session was last told. */
  readonly isNew: boolean;
}

interface AskedChanges {
  readonly host: HookHost;
  readonly permissions: Permissions;
  readonly wanted: HookSelection;
  /** The number of the last change that the session was told. */
  readonly after: number;
  /** Whether another session may have read the resources again; its reads do not count for this one. */
  readonly isShared: boolean;
  /** Whether another agent, which uses the same client, may have read them again. */
  readonly hasOtherAgents: boolean;
}

export async function readChanges(
  read: Iterable<ReadByClient>,
  { host, permissions, wanted, after, isShared, hasOtherAgents }: AskedChanges,
  slice: TimeSlice,
): Promise<ReadChanges> {
  const known = new Set<string>();
  // Copies, because the counts may change during the pauses below.
  const candidates: (CountedChanges & Pick<ReadByClient, 'serverId' | 'uri' | 'requestedUri'>)[] = [];
  for (const each of read) {
    const { serverId, uri, requestedUri, client, isOfOneSession, earlier } = each;
    if (isOfOtherHost(host, client)) continue;
    const isOfOthers = isShared || isBridge(client);
    const isReadByOthers = hasOtherAgents || (isOfOthers && !isOfOneSession);
    const { changes, firstChange, lastChange } = isReadByOthers && each.lastChange === 0 ? earlier : each;
    if (lastChange > after || !(isOfOthers || hasOtherAgents)) known.add(resourceKey(serverId, uri));
    if (lastChange > after) candidates.push({ serverId, uri, requestedUri, changes, firstChange, lastChange });
  }
  const changed = new Map<string, ChangedUri & { lastChange: number }>();
  let isNew = false;
  for (const { serverId, uri, requestedUri, changes, firstChange, lastChange } of candidates) {
    for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
    if (!wanted.has(serverId, uri) || !permissions.opens(serverId, uri)) continue;
    isNew ||= firstChange > after;
    const key = resourceKey(serverId, uri);
    // If several clients read it, the read that is longest ago counts.
    if ((changed.get(key)?.changes ?? 0) < changes) changed.set(key, { uri: requestedUri, changes, lastChange });
  }
  return { changed: [...changed.values()].toSorted((a, b) => b.lastChange - a.lastChange), known, isNew };
}

export function resourceKey(serverId: string, uri: string): string {
  return `${serverId} ${uri}`;
}
