// The dependencies of the reconciler of one server.
import type { WantedUris } from '../../subscription/wanted-uris.ts';
import type { Watchers } from '../../subscription/watchers.ts';
import type { FollowedResources } from '../follow/followed-resources.ts';
import type { UpstreamDeps } from '../upstream-deps.ts';
import type { UpstreamReports } from '../upstream-reports.ts';

/** The port to which the reconciler reports its progress. */
export interface ReconcilerListener {
  /** The list of resources has changed, and the new one is known. */
  listChanged(this: void): void;
  /** Any list of the server may have changed without a notification; that of resources is read again. */
  listsDoubted(this: void): void;
  /** Everything wanted is subscribed to or polled; `detail` has the exceptions. */
  synced(detail: string): void;
  /** A run or a list request has failed; it is retried. */
  troubled(detail: string): void;
  /** Called with the missing part of the catalog, in words; empty if it is complete. */
  incomplete(missing: string): void;
  /** The server is tracked and has no resources. */
  unsupported(detail: string): void;
}

export interface ReconcilerDeps {
  serverId: string;
  upstream: Pick<UpstreamDeps, 'clock' | 'random' | 'settings' | 'log' | 'recorder' | 'memory'>;
  wanted: WantedUris;
  followed: FollowedResources;
  watchers: Watchers;
  reports: UpstreamReports;
  listener: ReconcilerListener;
  /** Whether a tracked server without resources is a mistake of its configuration. */
  expectsResources(this: void): boolean;
}
