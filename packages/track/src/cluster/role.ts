// The role of this node for one server.
import type { Claim } from './lease-table.ts';

export type Role =
  /** Connects, tracks and journals. `claim`: in a cluster, the lease that its writes carry. */
  | { readonly is: 'owner'; readonly claim: Claim | undefined }
  /** Serves its own clients through the owner, which connects, tracks and journals. */
  | { readonly is: 'follower' };

export function isSameRole(one: Role, other: Role): boolean {
  return one.is === 'owner' ? other.is === 'owner' && one.claim?.fence === other.claim?.fence : other.is === one.is;
}
