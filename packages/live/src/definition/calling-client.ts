// The client of each request on one connection. A modern request carries what there is to know; a 2025-era connection
// has learned it from `initialize` and `logging/setLevel`.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type McpServer,
  type Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Caller } from '../resource/caller.ts';
import type { CallingClient, ContextOf } from '../resource/call-context.ts';

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
const levelSchema = z.enum(levels) satisfies z.ZodType<LoggingLevel>;
const setLevelSchema = z.object({ method: z.literal('logging/setLevel'), params: z.object({ level: levelSchema }) });
// The SDK has validated the envelope.
const envelopeSchema = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.custom<ClientCapabilities>((value) => typeof value === 'object'),
  [CLIENT_INFO_META_KEY]: z.custom<Implementation>((value) => typeof value === 'object').optional(),
  [LOG_LEVEL_META_KEY]: levelSchema.optional(),
});

/** To be called before the server is connected. */
export function contextsOf(served: Server | McpServer, caller: () => Caller): ContextOf {
  const server = 'server' in served ? served.server : served;
  const levelSet = caller().era === 'legacy' ? watchLevel(served) : () => undefined;
  const clientOf = (context: ServerContext): CallingClient => {
    const envelope = envelopeSchema.safeParse(context.mcpReq.envelope).data;
    if (envelope !== undefined) {
      return {
        capabilities: envelope[CLIENT_CAPABILITIES_META_KEY],
        info: envelope[CLIENT_INFO_META_KEY],
        logLevel: envelope[LOG_LEVEL_META_KEY],
        notify: undefined,
      };
    }
    return {
      capabilities: server.getClientCapabilities() ?? {},
      info: server.getClientVersion(),
      logLevel: levelSet(),
      notify: (notification) => server.notification(notification),
    };
  };
  return (context) => {
    let client: CallingClient | undefined;
    return {
      ...context,
      caller: caller(),
      // Most handlers do not need it.
      get client() {
        return (client ??= clientOf(context));
      },
    };
  };
}

/** The SDK keeps the level for itself, so it is read from the requests. */
function watchLevel(served: Server | McpServer): () => LoggingLevel | undefined {
  let level: LoggingLevel | undefined;
  const connect = served.connect.bind(served);
  served.connect = async (transport: Transport) => {
    await connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message: JSONRPCMessage, extra) => {
      if ('method' in message && message.method === 'logging/setLevel') {
        level = setLevelSchema.safeParse(message).data?.params.level ?? level;
      }
      onmessage?.(message, extra);
    };
  };
  return () => level;
}
