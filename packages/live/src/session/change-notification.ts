// Change notifications are the notifier's: an SDK instance's own are dropped wherever they appear.
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

const changeMethod = /^notifications\/((resources|tools|prompts)\/list_changed|resources\/updated)$/;

export function isChangeNotification(message: JSONRPCMessage): boolean {
  return 'method' in message && changeMethod.test(message.method);
}
