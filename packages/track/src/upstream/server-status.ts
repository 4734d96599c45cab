// How one server is doing, for people and for `GET /api/servers`.
import type { Era } from '../connection/session.ts';
import type { PublicState } from '../connection/states.ts';

export interface ServerStatus {
  id: string;
  description: string | undefined;
  state: PublicState;
  /** Why, in words; empty where there is nothing to say. */
  detail: string;
  /** ISO 8601. */
  since: string;
  /** When it is tried again, while that is waited for. */
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
  /** How many definitions do. */
  held: number;
  /** Listed by the server. */
  resources: number;
  /** Wanted by the tracker or by somebody who watches. */
  wanted: number;
  /** Of those, told about by the server. */
  subscribed: number;
  /** Of those, looked at instead. */
  polled: number;
  /** Followed, with a content that is known: what a change can be told by after a gap. */
  hashed: number;
  /** Failures in a row. */
  failures: number;
  /** How often it was connected to, or tried to be. */
  connects: number;
}
