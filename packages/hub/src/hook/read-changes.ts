// Resources that clients of a host have read or subscribed to, and that have changed since.
import type { TimeSlice } from '@tidings/live/time';
import type { ChangedUri } from '../base/named-uris.ts';
import type { Permissions } from '../access/permissions.ts';
import { type HookHost, isBridge, isOfOtherHost } from './hook-host.ts';
import type { HookSelection } from './hook-selection.ts';

interface CountedChanges {
  readonly changes: number;
  /** The numbers of the first one and the last one; 0 if there was none. */
  readonly firstChange: number;
  readonly lastChange: number;
}

/** A resource that a client has read, with its changes since then. */
export interface ReadByClient extends CountedChanges {
  readonly serverId: string;
  readonly uri: string;
  /** The URI that the client used. */
  readonly asked: string;
  /** The name of the client. */
  readonly client: string;
  /** Whether the client is known to be that of one session, and not of several with the same name. */
  readonly isOfOneSession: boolean;
  /** The changes before it was read again. */
  readonly earlier: CountedChanges;
}

export interface ReadChanges {
  /** The most recently changed first. */
  readonly changed: readonly ChangedUri[];
  /** Resources that were read, and need not be named otherwise. */
  readonly known: ReadonlySet<string>;
  /** Whether one of them had not changed since it was read when the session was last told. */
  readonly isNew: boolean;
}

export interface AskedChanges {
  readonly host: HookHost;
  readonly permissions: Permissions;
  readonly wanted: HookSelection;
  /** The number of the last change that the session was told. */
  readonly after: number;
  /** Whether the resources may have been read again by another session, which is no read of this one. */
  readonly isShared: boolean;
  /** The same of another agent, whose reads come from the same client. */
  readonly hasOtherAgents: boolean;
}

export async function readChanges(
  read: Iterable<ReadByClient>,
  { host, permissions, wanted, after, isShared, hasOtherAgents }: AskedChanges,
  slice: TimeSlice,
): Promise<ReadChanges> {
  const known = new Set<string>();
  // Their numbers may change while they are compared.
  const candidates: (CountedChanges & Pick<ReadByClient, 'serverId' | 'uri' | 'asked'>)[] = [];
  for (const each of read) {
    const { serverId, uri, asked, client, isOfOneSession, earlier } = each;
    if (isOfOtherHost(host, client)) continue;
    const isOfOthers = isShared || isBridge(client);
    const isReadByOthers = hasOtherAgents || (isOfOthers && !isOfOneSession);
    const { changes, firstChange, lastChange } = isReadByOthers && each.lastChange === 0 ? earlier : each;
    if (lastChange > after || !(isOfOthers || hasOtherAgents)) known.add(resourceKey(serverId, uri));
    if (lastChange > after) candidates.push({ serverId, uri, asked, changes, firstChange, lastChange });
  }
  const changed = new Map<string, ChangedUri & { lastChange: number }>();
  let isNew = false;
  for (const { serverId, uri, asked, changes, firstChange, lastChange } of candidates) {
    for (let pause = slice.pause(); pause; pause = slice.pause()) await pause;
    if (!wanted.has(serverId, uri) || !permissions.opens(serverId, uri)) continue;
    isNew ||= firstChange > after;
    const key = resourceKey(serverId, uri);
    // Of several clients, the one that read it longest ago.
    if ((changed.get(key)?.changes ?? 0) < changes) changed.set(key, { uri: asked, changes, lastChange });
  }
  return { changed: [...changed.values()].toSorted((a, b) => b.lastChange - a.lastChange), known, isNew };
}

export function resourceKey(serverId: string, uri: string): string {
  return `${serverId} ${uri}`;
}
