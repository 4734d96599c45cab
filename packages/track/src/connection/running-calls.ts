// Which forwarded request a server's message belongs to. Over HTTP it comes on that request's own stream, and what is
// read from there runs in the asynchronous context in which the request was sent. Over other transports nothing says
// it, so it is certain only while there is one request.
import type { LoggingMessageNotification } from '@modelcontextprotocol/client';
import { AsyncScope } from '@tidings/live/internal';

export type LogMessage = LoggingMessageNotification['params'];

/** Hears what a server sends while it works on one request, besides progress and the answer. */
export interface CallListener {
  logged?(message: LogMessage): void;
  /** The server asked its client for something, which is not answered on this session. */
  asked?(method: string): void;
}

export class RunningCalls {
  readonly #context = new AsyncScope<CallListener>();
  readonly #running = new Set<CallListener>();

  async run<T>(listener: CallListener, work: () => Promise<T>): Promise<T> {
    this.#running.add(listener);
    try {
      return await this.#context.run(listener, work);
    } finally {
      this.#running.delete(listener);
    }
  }

  logged(message: LogMessage): void {
    const here = this.#here();
    // With several, it could reach another caller than the one whose request it is about.
    const [only] = this.#running.size === 1 ? this.#running : [];
    (here ?? only)?.logged?.(message);
  }

  asked(method: string): void {
    const here = this.#here();
    for (const listener of here ? [here] : this.#running) listener.asked?.(method);
  }

  #here(): CallListener | undefined {
    const listener = this.#context.current();
    return listener !== undefined && this.#running.has(listener) ? listener : undefined;
  }
}
