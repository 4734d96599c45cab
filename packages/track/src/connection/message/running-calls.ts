// Finds the forwarded request that a message of the server belongs to. Over HTTP the message comes on that request's
// own stream, and the stream is read in the asynchronous context in which the request was sent. Messages on a pipe do
// not name their request, so it is certain only while there is one.
import type { LoggingMessageNotificationParams } from '@modelcontextprotocol/client';
import { AsyncScope } from '@tidings/live/internal';

/** Receives what a server sends during one request, besides progress and the answer. */
export interface CallListener {
  logged?(message: LoggingMessageNotificationParams): void;
  /** The server sent a request to its client, which this session refuses. */
  asked?(method: string): void;
}

export class RunningCalls {
  /** Undefined for a pipe: an open scope makes every promise of the process slower. */
  readonly #context: AsyncScope<CallListener> | undefined;
  readonly #running = new Set<CallListener>();

  constructor({ isPipe }: { isPipe: boolean }) {
    this.#context = isPipe ? undefined : new AsyncScope();
  }

  async run<T>(listener: CallListener, work: () => Promise<T>): Promise<T> {
    this.#running.add(listener);
    try {
      return await (this.#context ? this.#context.run(listener, work) : work());
    } finally {
      this.#running.delete(listener);
    }
  }

  /**
   * A modern server logs on the stream of the request. A message on another HTTP stream belongs to another request,
   * perhaps of another caller.
   */
  logged(message: LoggingMessageNotificationParams, isModern: boolean): void {
    const here = this.#here();
    const isElsewhere = isModern && this.#context !== undefined;
    // With several requests, the message could reach a caller whom it does not concern.
    const [only] = this.#running.size === 1 && !isElsewhere ? this.#running : [];
    (here ?? only)?.logged?.(message);
  }

  asked(method: string): void {
    const here = this.#here();
    for (const listener of here ? [here] : this.#running) listener.asked?.(method);
  }

  #here(): CallListener | undefined {
    const listener = this.#context?.current();
    return listener !== undefined && this.#running.has(listener) ? listener : undefined;
  }
}
