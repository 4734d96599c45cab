// Keeps tasks that a modern server returns for calls (`io.modelcontextprotocol/tasks`). The SDK's client refuses such a
// result and drops its content, so the task travels in the `_meta` of an empty result.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** The `_meta` key of a result for the task that the server created in its place. */
export const taskMetaKey = 'tidings/task';

/** Returns the message unchanged, unless its result is a task. */
export function withTaskInMeta(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || message.result['resultType'] !== 'task') return message;
  const { _meta, resultType: _, ...task } = message.result;
  return { ...message, result: { resultType: 'complete', content: [], _meta: { ..._meta, [taskMetaKey]: task } } };
}
