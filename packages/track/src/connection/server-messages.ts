// What a server sends besides answers, as the SDK's client reports it: notifications of resources, lists and tasks, log
// messages, and requests, which are refused.
import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { ListName } from '@tidings/live/internal';
import type { RunningCalls } from './running-calls.ts';

export interface ServerMessageHandlers {
  calls: RunningCalls;
  updated(this: void, uri: string): void;
  listChanged(this: void, list: ListName): void;
  taskChanged(this: void, params: unknown): void;
  /** A notification of an unknown method. */
  unknown(this: void, method: string): void;
}

/** Notifications of the protocol that do not concern resources. */
const otherMethods = new Set(['notifications/elicitation/complete', 'notifications/tasks']);

export function handleServerMessages(client: Client, handlers: ServerMessageHandlers): void {
  const { calls, updated, listChanged, taskChanged, unknown } = handlers;
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated(params.uri));
  client.setNotificationHandler('notifications/message', ({ params }) =>
    calls.logged(params, client.getProtocolEra() === 'modern'),
  );
  client.fallbackRequestHandler = async ({ method }) => {
    calls.asked(method);
    // A server quotes this, and the hub understands it: wanted-capability.ts.
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
