// Parts of a listen request's filter that protocol extensions define.
import type { ClientCapabilities, Notification } from '@modelcontextprotocol/server';
import type { Caller } from '../resource/caller.ts';

/** The client that listens. */
export interface ListeningClient {
  readonly caller: Caller;
  readonly capabilities: ClientCapabilities;
}

/** How an extension notifies a listening client. */
export interface ListenPush {
  /** Sends a notification on the stream. While the client reads nothing, the last one with each key is kept. */
  notify(key: string, notification: Notification): void;
  /** The honored part cannot be delivered any more: ends the stream, so that its client does not rely on it. */
  end(): void;
}

/** The part of a filter that an extension accepts. */
export interface HonoredPart {
  /** What the acknowledgement says of this part of the filter. */
  readonly honored: unknown;
  /** The stream has ended. */
  stop(this: void): void;
}

/** Honors one part of a filter, or none. A thrown `RpcError` refuses the listen request. */
export type ListenExtension = (
  asked: unknown,
  client: ListeningClient,
  push: ListenPush,
) => Promise<HonoredPart | undefined>;

/** By their names in the filter. */
export type ListenExtensions = Readonly<Record<string, ListenExtension>>;
