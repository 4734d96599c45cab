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
  /** Ends the stream, because the honored part can no longer be delivered and its client must not rely on it. */
  end(): void;
}

/** The part of a filter that an extension accepts. */
export interface HonoredPart {
  /** This part of the filter as it is acknowledged. */
  readonly honored: unknown;
  /** Called when the stream has ended. */
  stop(this: void): void;
}

/**
 * Honors one part of a filter; returns undefined if it honors none of it. Throw `RpcError` to refuse the listen
 * request.
 */
export type ListenExtension = (
  requested: unknown,
  client: ListeningClient,
  push: ListenPush,
) => Promise<HonoredPart | undefined>;

/** Extensions by the name of their field in the filter. */
export type ListenExtensions = Readonly<Record<string, ListenExtension>>;
