// For agent SDKs that take their input as an async iterable: each message comes as it is said.
import type { AgentPort } from './agent-port.ts';

export interface InputStream extends AsyncIterable<string>, AgentPort {}

/** Attach it to a hub and hand it to an agent. It ends when it is closed. */
export function inputStream(): InputStream {
  const ready: { text: string; taken: () => void }[] = [];
  let wake: () => void = () => undefined;
  let isClosed = false;
  return {
    kind: 'input-stream',
    open: async () => undefined,
    // Resolves when it has been taken: a reader that stands still lets updates merge behind it.
    send: (text) =>
      new Promise((resolve) => {
        ready.push({ text, taken: resolve });
        wake();
      }),
    close: async () => {
      isClosed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      while (!isClosed) {
        const next = ready.shift();
        if (next) {
          next.taken();
          yield next.text;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}
