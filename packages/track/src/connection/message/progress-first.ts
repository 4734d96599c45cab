// Passes progress on before the answer that ends it. The SDK's client calls the handler of a notification a moment
// later than it resolves an answer, and drops progress of an answered request. A server often sends the last progress
// and the answer together, so an answer that follows progress at once waits until that progress was handled.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

type Receive = NonNullable<Transport['onmessage']>;

export function progressFirst(receive: Receive): Receive {
  let isHandled = Promise.resolve();
  let waiting = 0;
  return (message, extra) => {
    if (isProgress(message)) {
      receive(message, extra);
      waiting += 1;
      // The SDK calls its handler in an earlier microtask than this one.
      isHandled = Promise.resolve().then(() => void (waiting -= 1));
    } else if (waiting > 0 && !('method' in message)) void isHandled.then(() => receive(message, extra));
    else receive(message, extra);
  };
}

function isProgress(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'notifications/progress';
}
