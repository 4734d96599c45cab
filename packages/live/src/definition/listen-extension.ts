// Parts of a listen request's filter of which the kit itself knows nothing: those of extensions of the protocol.
import type { ClientCapabilities, Notification } from '@modelcontextprotocol/server';
import type { Caller } from '../resource/caller.ts';

/** Who listens. */
export interface ListeningClient {
  readonly caller: Caller;
  readonly capabilities: ClientCapabilities;
}

/** How an extension tells a listening client something. */
export interface ListenPush {
  /** Sends a notification on the stream. While the client reads nothing, the last one with each key is kept. */
  notify(key: string, notification: Notification): void;
  /** What was honored cannot be delivered any more: ends the stream, so that its client does not rely on it. */
  end(): void;
}

/** What of its part of a filter an extension will tell of. */
export interface HonoredPart {
  /** What the acknowledgement says of this part of the filter. */
  readonly honored: unknown;
  /** The stream has ended. */
  stop(this: void): void;
}

/** Honors one part of a filter, or nothing of it. A thrown `RpcError` refuses the listen request. */
export type ListenExtension = (
  asked: unknown,
  client: ListeningClient,
  push: ListenPush,
) => Promise<HonoredPart | undefined>;

/** By their names in the filter. */
export type ListenExtensions = Readonly<Record<string, ListenExtension>>;
