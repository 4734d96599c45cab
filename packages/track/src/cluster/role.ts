// What this node does for one server.
import type { Claim } from './lease-table.ts';

export type Role =
  /** It tracks and journals. `claim`: in a cluster, the lease under which it does. */
  | { readonly is: 'owner'; readonly claim: Claim | undefined }
  /** It serves its own clients; another node connects, tracks and journals. */
  | { readonly is: 'follower' };

export function isSameRole(one: Role, other: Role): boolean {
  return one.is === 'owner' ? other.is === 'owner' && one.claim?.fence === other.claim?.fence : other.is === one.is;
}
