// The SDK's client hands a notification to its handler a moment later than an answer to its caller, and drops progress
// of a request that was answered. A server often sends its last progress and the answer together. So an answer that
// comes at the same moment as progress is passed on once that was handled.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

type Receive = NonNullable<Transport['onmessage']>;

export function progressFirst(receive: Receive): Receive {
  let isHandled = Promise.resolve();
  let waiting = 0;
  return (message, extra) => {
    if (isProgress(message)) {
      receive(message, extra);
      waiting += 1;
      // Its handler runs before this.
      isHandled = Promise.resolve().then(() => void (waiting -= 1));
    } else if (waiting > 0 && !('method' in message)) void isHandled.then(() => receive(message, extra));
    else receive(message, extra);
  };
}

function isProgress(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'notifications/progress';
}
