// A modern server may answer a call with a task (`io.modelcontextprotocol/tasks`). The SDK's client refuses such a
// result and drops its content; so the task travels in the `_meta` of an empty result.
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** In the `_meta` of a result: the task that the server made instead. */
export const taskMetaKey = 'tidings/task';

/** The same message, unless its result is a task. */
export function withTaskInMeta(message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message) || message.result['resultType'] !== 'task') return message;
  const { _meta, resultType: _, ...task } = message.result;
  return { ...message, result: { resultType: 'complete', content: [], _meta: { ..._meta, [taskMetaKey]: task } } };
}
