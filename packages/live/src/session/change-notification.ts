// Change notifications are sent by the notifier only: those of an SDK instance are dropped.
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

const changeMethod = /^notifications\/((resources|tools|prompts)\/list_changed|resources\/updated)$/;

export function isChangeNotification(message: JSONRPCMessage): boolean {
  return 'method' in message && changeMethod.test(message.method);
}
