// The status of one server as the hub's routes and commands show it.
import type { ServerStatus } from '@tidings/client/contract';
import type { ServerEntry } from '../config/config.ts';
import type { Session } from '../connection/session/session.ts';
import type { Catalog } from '../subscription/catalog/catalog.ts';
import type { UpstreamParts } from './upstream-parts.ts';

/** `catalog`: the list of resources that clients see. */
export function statusOf(parts: UpstreamParts, catalog: Catalog): ServerStatus {
  const { entry, connection, access, definitions, reconciler, followed } = parts;
  const { state, since, retryAt, failures, openings, session, detail } = connection;
  const { name, title, version } = definitions.info ?? {};
  // The last negotiated values, used while no session is open.
  const era = access.era;
  const address = addressInWords(entry);
  const shownDetail = entry.leftOutReason ?? parts.shownDetail(detail);
  const counts = reconciler.counts;
  const isNoted = state === 'live' && shownDetail !== '';
  return {
    id: entry.id,
    description: entry.description,
    state,
    since: new Date(since).toISOString(),
    retryAt: retryAt === undefined ? undefined : new Date(retryAt).toISOString(),
    era: session?.era ?? era?.era,
    eraSeen: era === undefined ? undefined : new Date(era.at).toISOString(),
    transport: 'command' in entry ? 'stdio' : 'url' in entry ? 'http' : 'memory',
    pid: session?.pid,
    enabled: entry.enabled,
    tracked: parts.isTracked,
    pinned: entry.pin === true,
    failures,
    connects: openings,
    ...counts,
    detail: shownDetail,
    condition: isNoted ? conditionOf(shownDetail, session?.trouble, counts.polled) : undefined,
    held: definitions.heldCount,
    resources: catalog.resources.size,
    hashed: followed.mirror.hashed,
    address: address && access.conceal(address),
    info: name === undefined || version === undefined ? undefined : { name, title, version },
  };
}

/** Polling is no problem. */
function conditionOf(detail: string, trouble: Session['trouble'], polled: number): ServerStatus['condition'] {
  if (trouble?.isExpected && detail === trouble.words) return 'waiting';
  return polled === 0 ? 'troubled' : undefined;
}

/** The address or command of a server; undefined for a built-in one. May contain secrets. */
function addressInWords(entry: ServerEntry): string | undefined {
  if ('url' in entry) return entry.url;
  return 'command' in entry ? [entry.command, ...entry.args].join(' ') : undefined;
}
