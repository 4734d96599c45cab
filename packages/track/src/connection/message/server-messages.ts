// Handles what a server sends besides answers, as reported by the SDK's client: notifications about resources, lists
// and tasks, log messages, and requests, which are refused.
import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { ListName } from '@tidings/live/internal';
import type { RunningCalls } from './running-calls.ts';

interface ServerMessageHandlers {
  calls: RunningCalls;
  updated(this: void, uri: string): void;
  listChanged(this: void, list: ListName): void;
  taskChanged(this: void, params: unknown): void;
  /** A notification of an unknown method. */
  unknown(this: void, method: string): void;
}

/** Methods of the protocol that do not concern resources. */
const otherMethods = new Set(['notifications/elicitation/complete', 'notifications/tasks']);

export function handleServerMessages(client: Client, handlers: ServerMessageHandlers): void {
  const { calls, updated, listChanged, taskChanged, unknown } = handlers;
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated(params.uri));
  client.setNotificationHandler('notifications/message', ({ params }) =>
    calls.logged(params, client.getProtocolEra() === 'modern'),
  );
  client.fallbackRequestHandler = async ({ method }) => {
    calls.asked(method);
    // Servers quote this message in their errors, and the hub parses it: wanted-capability.ts.
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `This client does not support "${method}".`);
  };
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === 'notifications/tasks/status') taskChanged(params);
    else if (!otherMethods.has(method)) unknown(method);
  };
  for (const list of ['resources', 'tools', 'prompts'] as const satisfies readonly ListName[]) {
    client.setNotificationHandler(`notifications/${list}/list_changed`, () => listChanged(list));
  }
}
