// An open stream of a 2026-07-28 client, or a 2025-era session, as an endpoint describes it.
import type { Subscriber } from '../notify/subscriber.ts';
import type { Caller } from '../resource/caller.ts';

export interface OpenConnection {
  readonly caller: Caller;
  /** The client's name and version. */
  readonly client: { readonly name: string; readonly version: string } | undefined;
  /** For a 2025-era session. */
  readonly sessionId: string | undefined;
  /** When it was opened, in milliseconds since the epoch. */
  readonly since: number;
  /** Whether notifications can reach the client: a 2025-era session may have no stream. */
  readonly hasStream: boolean;
  readonly watching: Pick<Subscriber, 'told' | 'urisUpTo'>;
}
