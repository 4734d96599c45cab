// Filters the status of a server to what a caller may see.
import type { ServerStatus } from '@tidings/client/contract';
import type { Upstream } from '@tidings/track';
import type { Permissions } from './permissions.ts';

/** Undefined if the server is hidden from the caller. */
export async function visibleStatus(
  upstream: Pick<Upstream, 'id' | 'catalog' | 'shownStatus'>,
  permissions: Permissions,
): Promise<ServerStatus | undefined> {
  const { id, catalog } = upstream;
  if (!permissions.sees(id)) return undefined;
  const status = upstream.shownStatus();
  if (permissions.isWhole) return status;
  // Details may name commands and addresses.
  const hidden = { address: undefined, info: undefined, pid: undefined, node: undefined, held: 0 };
  const discreet = { ...status, ...hidden, detail: '', condition: undefined };
  if (permissions.seesAllOf(id)) return discreet;
  // Only resources that the caller may read are counted.
  const { length: resources } = await permissions.openAmong(id, catalog.resources);
  const share = (count: number) => Math.min(count, resources);
  const { wanted, subscribed, polled, hashed } = status;
  return {
    ...discreet,
    resources,
    wanted: share(wanted),
    subscribed: share(subscribed),
    polled: share(polled),
    hashed: share(hashed),
  };
}
