// What a handler gets besides its arguments: the SDK's context of the request, the caller and its client.
import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
  Notification,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from './caller.ts';

/** The client of a request, in either era. */
export interface CallingClient {
  readonly capabilities: ClientCapabilities;
  readonly info: Implementation | undefined;
  /** The lowest level of log messages that it asked for; undefined if it asked for none. */
  readonly logLevel: LoggingLevel | undefined;
  /** Sends a notification that belongs to no request. Undefined in the modern era, which has none. */
  readonly notify: ((notification: Notification) => Promise<void>) | undefined;
  /**
   * Calls `listener` when the client's roots change; returns a function that stops this. Undefined in the modern era.
   */
  readonly onRootsChanged?: ((listener: () => void) => () => void) | undefined;
  /**
   * Calls `listener` when the client's session ends; returns a function that stops this. Undefined in the modern era.
   */
  readonly onClosed?: ((listener: () => void) => () => void) | undefined;
}

/**
 * Sends a log message about this request to the client, if it asked for messages of this level. `data` is any JSON,
 * `meta` the `_meta` of the message. The server needs `capabilities: { logging: {} }`. Need not be awaited.
 */
export type ClientLog = (level: LoggingLevel, data: unknown, logger?: string, meta?: Record<string, unknown>) => void;

/** The task that a 2025-11-25 client asks for in place of a direct result. */
export interface AskedTask {
  /** How long the client wants the task to be kept, in milliseconds. */
  readonly ttl?: number | undefined;
}

/** The SDK's context of the call (progress, cancellation, elicitation …), the caller, its client and its log. */
export type CallContext = ServerContext & {
  caller: Caller;
  client: CallingClient;
  log: ClientLog;
  /** Only if a 2025-11-25 client asks for a task. */
  task?: AskedTask | undefined;
};

/**
 * The part of `CallContext` that a call without the SDK has too. Such a call asks for neither progress nor log
 * messages, and has no answers to questions.
 */
export interface PlainContext extends Pick<CallContext, 'caller' | 'client' | 'log' | 'sessionId' | 'task'> {
  mcpReq: Pick<ServerContext['mcpReq'], '_meta' | 'signal' | 'notify' | 'inputResponses'> & {
    requestState(this: void): unknown;
  };
}

export type ContextOf = (context: ServerContext) => CallContext;
