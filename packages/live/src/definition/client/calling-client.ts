// The client of each request on one connection. A modern request carries its client's details; on a 2025-era connection
// they come from `initialize` and `logging/setLevel`.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  type JSONRPCMessage,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type McpServer,
  type RequestId,
  type Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { BoundedMap } from '../../portable/bounded-map.ts';
import { logLevels } from '../../portable/log-levels.ts';
import type { Caller } from '../../resource/caller.ts';
import type { AskedTask, CallingClient, ClientLog, ContextOf } from '../../resource/call-context.ts';
import type { ClientLogs } from './client-logs.ts';

const levelSchema = z.enum(logLevels) satisfies z.ZodType<LoggingLevel>;
const setLevelSchema = z.object({ method: z.literal('logging/setLevel'), params: z.object({ level: levelSchema }) });
const taskSchema = z.object({
  id: z.union([z.string(), z.number()]),
  params: z.object({ task: z.object({ ttl: z.number().optional() }) }),
});
/** Bounds what is kept: a call of an unknown tool reaches no handler, so its task is never taken. */
const mostTasks = 100;
// The SDK validated the envelope already.
const envelopeSchema = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.custom<ClientCapabilities>((value) => typeof value === 'object'),
  [CLIENT_INFO_META_KEY]: z.custom<Implementation>((value) => typeof value === 'object').optional(),
  [LOG_LEVEL_META_KEY]: levelSchema.optional(),
});

/** Call it before the server is connected. */
export function contextsOf(served: Server | McpServer, caller: () => Caller, logs: ClientLogs): ContextOf {
  const server = 'server' in served ? served.server : served;
  const settings = caller().era === 'legacy' ? observeSettings(served) : noSettings;
  const rootsListeners = new Set<() => void>();
  const closeListeners = new Set<() => void>();
  if (caller().era === 'legacy') {
    server.setNotificationHandler('notifications/roots/list_changed', () => {
      for (const listener of rootsListeners) listener();
    });
    server.onclose = () => {
      for (const listener of closeListeners) listener();
    };
  }
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
      logLevel: settings.level(),
      notify: (notification) => server.notification(notification),
      onRootsChanged: (listener) => {
        rootsListeners.add(listener);
        return () => rootsListeners.delete(listener);
      },
      onClosed: (listener) => {
        closeListeners.add(listener);
        return () => closeListeners.delete(listener);
      },
    };
  };
  return (context) => {
    let client: CallingClient | undefined;
    let log: ClientLog | undefined;
    const { era } = caller();
    const send = (params: Record<string, unknown>) =>
      context.mcpReq.notify({ method: 'notifications/message', params });
    return {
      ...context,
      caller: caller(),
      task: settings.taskOf(context.mcpReq.id),
      // Computed on access: most handlers do not use it.
      get client() {
        return (client ??= clientOf(context));
      },
      get log() {
        return (log ??= logs.logOf({ era, client: this.client, send }));
      },
    };
  };
}

interface RequestSettings {
  level(): LoggingLevel | undefined;
  /** The task that a request asks for, if any. Returned once. */
  taskOf(id: RequestId): AskedTask | undefined;
}

const noSettings: RequestSettings = { level: () => undefined, taskOf: () => undefined };

/** Reads these values from the requests, because the SDK does not expose them. */
function observeSettings(served: Server | McpServer): RequestSettings {
  let level: LoggingLevel | undefined;
  const tasks = new BoundedMap<RequestId, AskedTask>(mostTasks);
  const connect = served.connect.bind(served);
  served.connect = async (transport: Transport) => {
    await connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message: JSONRPCMessage, extra) => {
      if ('method' in message && message.method === 'logging/setLevel') {
        level = setLevelSchema.safeParse(message).data?.params.level ?? level;
      }
      if ('method' in message && message.method === 'tools/call') {
        const callRequest = taskSchema.safeParse(message).data;
        if (callRequest) tasks.set(callRequest.id, callRequest.params.task);
      }
      onmessage?.(message, extra);
    };
  };
  return {
    level: () => level,
    taskOf: (id) => {
      const task = tasks.get(id);
      tasks.delete(id);
      return task;
    },
  };
}
