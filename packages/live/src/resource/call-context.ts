// What a handler is given besides its arguments: the SDK's context of the request, who calls, and with which client.
import type {
  ClientCapabilities,
  Implementation,
  LoggingLevel,
  Notification,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from './caller.ts';

/** The client of a request, whichever way its era says so. */
export interface CallingClient {
  readonly capabilities: ClientCapabilities;
  readonly info: Implementation | undefined;
  /** The least severe log messages that it asked for. Undefined: it asked for none. */
  readonly logLevel: LoggingLevel | undefined;
  /** Sends a notification that belongs to no request. Undefined in the modern era, which has none. */
  readonly notify: ((notification: Notification) => Promise<void>) | undefined;
  /** Hears when the client's roots have changed; returns how to stop. Undefined in the modern era. */
  readonly onRootsChanged?: ((listener: () => void) => () => void) | undefined;
  /** Hears when the client's session has ended; returns how to stop. Undefined in the modern era. */
  readonly onClosed?: ((listener: () => void) => () => void) | undefined;
}

/**
 * Sends a log message about this request to the client, if it asked for messages of this level. `data` is any JSON.
 * The server needs `capabilities: { logging: {} }`. Need not be awaited.
 */
export type ClientLog = (level: LoggingLevel, data: unknown, logger?: string) => void;

/** The task that a 2025-11-25 client wants to be made of its call. */
export interface AskedTask {
  /** How long it wants the task to be kept, in milliseconds. */
  readonly ttl?: number | undefined;
}

/** The SDK's context of the call (progress, cancellation, elicitation …), who is calling, the client and its log. */
export type CallContext = ServerContext & {
  caller: Caller;
  client: CallingClient;
  log: ClientLog;
  /** Only where a client of 2025-11-25 asks for one. */
  task?: AskedTask | undefined;
};

/**
 * The part of it that a call has, too, which is answered without the SDK. Such a call asks for neither progress nor log
 * messages, and has no answers to questions.
 */
export interface PlainContext extends Pick<CallContext, 'caller' | 'client' | 'log' | 'sessionId' | 'task'> {
  mcpReq: Pick<ServerContext['mcpReq'], '_meta' | 'signal' | 'notify' | 'inputResponses'> & {
    requestState(this: void): unknown;
  };
}

export type ContextOf = (context: ServerContext) => CallContext;
