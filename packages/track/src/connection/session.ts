// One connection to a server while it lasts: the SDK's client, what was negotiated, and what comes from
// the other side. How it is reached is decided in open-session.ts.
import type { Client, ServerCapabilities } from '@modelcontextprotocol/client';
import type { ListName } from '@tidings/live';
import type { Delivery } from './http/notification-stream.ts';

export type Era = 'legacy' | 'modern';

export interface SessionEvents {
  /** The server says that this resource is not what it was. */
  updated(uri: string): void;
  listChanged(list: ListName): void;
  /** Notifications may have been lost, though the session goes on. */
  gap(): void;
  /** Whether notifications can arrive has changed: see `Session.delivery`. */
  deliveryChanged(): void;
  /** The session is of no more use. */
  lost(reason: string): void;
}

export interface Session {
  readonly client: Client;
  readonly era: Era;
  readonly transport: 'stdio' | 'http' | 'memory';
  readonly pid: number | undefined;
  readonly capabilities: ServerCapabilities;
  /** Whether notifications can arrive now: some HTTP servers take subscriptions and have no stream to tell on. */
  readonly delivery: Delivery;
  /**
   * The clock's time at which something last came on the channel that carries notifications: over HTTP a byte on
   * the stream (the one that was silent the longest, where there are several), otherwise any message.
   */
  heardAt(this: void): number;
  /** Whether notifications are expected, so that a loss has to be noticed soon. */
  expectNotifications(this: void, isExpecting: boolean): void;
  /** Something has failed on it: asks at once whether the server is there. */
  checkHealth(this: void): void;
  /** Does on it what somebody asked for; a process that is silent meanwhile is taken to be busy with that. */
  work<T>(this: void, on: (client: Client) => Promise<T>): Promise<T>;
  /** Says from this side that the session is of no more use. */
  fail(reason: string): void;
  /** Resolves when the other side is gone. */
  close(): Promise<void>;
}

interface OpenHint {
  /** How long the handshake may take where the server was there a moment ago; otherwise as is configured. */
  handshakeMs: number | undefined;
}

export type OpenSession = (signal: AbortSignal, events: SessionEvents, hint: OpenHint) => Promise<Session>;
