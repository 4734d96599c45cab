// One open connection to a server: the SDK's client, the negotiated values, and events. open-session.ts decides how it
// is opened.
import type { Client, ReadResourceResult, ServerCapabilities } from '@modelcontextprotocol/client';
import type { LiveServer } from '@tidings/live';
import type { ListName } from '@tidings/live/internal';
import type { CopyBudget } from '../../base/copy-budget.ts';
import type { CancellableRequest } from '../../base/cancellable-request.ts';
import type { CallListener } from '../message/running-calls.ts';
import type { SessionClient } from './session-client.ts';
import type { TaskWatch, TaskWatcher } from '../message/task-watches.ts';

/** The protocol of a session: 2025 (`legacy`) or 2026-07-28 (`modern`). */
export type Era = 'legacy' | 'modern';

/**
 * Whether notifications can arrive. `pending`: their stream is requested, or about to be. `none`: the server has no such
 * stream.
 */
export type NotificationDelivery = 'open' | 'pending' | 'none';

export interface SessionEvents {
  /** The server sent a change of this resource. Returns whether the resource is known. */
  updated(uri: string): boolean;
  listChanged(list: ListName): void;
  /** Notifications may have been lost, though the session continues. */
  gap(): void;
  /** `Session.delivery` has changed. */
  deliveryChanged(): void;
  /** `Session.trouble` has changed. */
  troubleChanged(): void;
  /** The session is unusable. */
  lost(reason: string, loss?: Loss): void;
}

export interface Loss {
  /** The server does not accept the login any more. */
  needsLogin?: boolean;
}

export interface Session {
  readonly client: Client;
  readonly era: Era;
  readonly transport: 'stdio' | 'http' | 'memory';
  readonly pid: number | undefined;
  readonly capabilities: ServerCapabilities;
  /** Whether notifications can arrive now: some HTTP servers accept subscriptions and have no notification stream. */
  readonly delivery: NotificationDelivery;
  /** A built-in server's problem with something it depends on; undefined for other servers. */
  readonly trouble: Pick<LiveServer['trouble'], 'words' | 'isExpected'> | undefined;
  /**
   * The clock's time at which something last arrived on the channel that carries notifications: over HTTP a byte on the
   * stream (of several streams, the one that was silent the longest), otherwise any message.
   */
  heardAt(this: void): number;
  /**
   * Since when a stream of notifications has been silent, if nothing else shows that it is alive. Undefined if the
   * server sends comments, or if notifications do not come over HTTP.
   */
  silentSince(this: void): number | undefined;
  /** Ends the streams that have been silent since `since`. They are opened again, which is a gap. */
  endSilentStreams(this: void, since: number): void;
  /** Sets whether notifications are expected: if they are, a dead connection has to be noticed soon. */
  expectNotifications(this: void, isExpecting: boolean): void;
  /** Checks at once, after a failure, whether the server still answers. */
  checkHealth(this: void): void;
  /** Subscribes to a resource in the 2025 era. Rejects if the server refuses or does not answer in time. */
  subscribe(this: void, uri: string, answerMs: number): Promise<void>;
  /** Reads a resource. Rejects if the server refuses or does not answer in time. `copies`: how often it may be sent. */
  read(this: void, uri: string, answerMs: number, copies: CopyBudget): CancellableRequest<ReadResourceResult>;
  /** Subscribes to the status of these tasks, if the server supports that. Rejects if it refuses or does not answer. */
  watchTasks(this: void, taskIds: readonly string[], watcher: TaskWatcher): Promise<TaskWatch>;
  /** Runs a caller's request. A process that is silent meanwhile counts as busy with it. */
  work<T>(this: void, on: (client: Client) => Promise<T>, listener?: CallListener): Promise<T>;
  /** Ends the session from this side, with a reason. */
  fail(reason: string): void;
  /** Resolves when the session has ended on both sides. */
  close(): Promise<void>;
}

interface OpenSessionOptions {
  /** How long the handshake may take if the server was live a moment ago; undefined for the configured time. */
  handshakeMs: number | undefined;
  /** How many attempts in a row have failed before this one. Default: none. */
  failures?: number;
  /** Default: a client that declares no capabilities. */
  client?: SessionClient;
}

export type OpenSession = (signal: AbortSignal, events: SessionEvents, options: OpenSessionOptions) => Promise<Session>;
