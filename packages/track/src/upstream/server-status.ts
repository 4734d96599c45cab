// The status of one server, for people and for `GET /api/servers`.
import type { Era } from '../connection/session.ts';
import type { PublicState } from '../connection/states.ts';

export interface ServerStatus {
  id: string;
  description: string | undefined;
  state: PublicState;
  /** Why, in words; empty if there is nothing to say. */
  detail: string;
  /** ISO 8601. */
  since: string;
  /** When the next attempt is due, while one is scheduled. */
  retryAt: string | undefined;
  era: Era | undefined;
  /** When the era was last negotiated. */
  eraSeen: string | undefined;
  transport: 'stdio' | 'http' | 'memory';
  pid: number | undefined;
  enabled: boolean;
  tracked: boolean;
  /** Changed or new definitions wait for consent. */
  pinned: boolean;
  /** The number of such definitions. */
  held: number;
  /** Listed by the server. */
  resources: number;
  /** Tracked or watched. */
  wanted: number;
  /** Of those, with a confirmed subscription. */
  subscribed: number;
  /** Of those, polled instead. */
  polled: number;
  /** Followed resources whose content is known, so that a change can be found after a gap. */
  hashed: number;
  /** Failures in a row. */
  failures: number;
  /** The number of attempts to connect. */
  connects: number;
}
