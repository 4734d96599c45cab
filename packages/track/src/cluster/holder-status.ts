// The status of a server, as published by the node that holds its lease.
import { type ServerStatus, serverStatus } from '@tidings/client/contract';
import type { Leases } from './leases.ts';

type LeaseHolders = Pick<Leases, 'holder' | 'follow'>;

/** Undefined if no other node holds the lease, or the holder has published nothing yet. */
export function holderStatus(leases: Pick<Leases, 'holder'>, lease: string): ServerStatus | undefined {
  const holder = leases.holder(lease);
  if (holder.is !== 'other' || holder.detail === undefined) return undefined;
  return serverStatus.safeParse(JSON.parse(holder.detail)).data;
}

/** Resolves when the holder connects to the server, if it was not connected before; never otherwise. */
export function untilHolderIsLive(leases: LeaseHolders, lease: string, signal: AbortSignal): Promise<void> {
  const liveSince = () => {
    const { state, since, node } = holderStatus(leases, lease) ?? {};
    return state === 'live' ? `${node} ${since}` : undefined;
  };
  const before = liveSince();
  return new Promise((resolve) => {
    const unfollow = leases.follow(() => {
      const now = liveSince();
      if (now === undefined || now === before) return;
      unfollow();
      resolve();
    });
    signal.addEventListener('abort', unfollow, { once: true });
  });
}
