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
}

/** The SDK's context of the call (progress, cancellation, elicitation …), who is calling, and the client. */
export type CallContext = ServerContext & { caller: Caller; client: CallingClient };

export type ContextOf = (context: ServerContext) => CallContext;
