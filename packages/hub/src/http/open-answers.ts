// The open responses and their callers: streams, and slow responses.
import type { ServerResponse } from 'node:http';
import type { Admitted } from './admission.ts';

export class OpenAnswers {
  readonly #open = new Map<ServerResponse, Admitted>();

  add(res: ServerResponse, admitted: Admitted): void {
    this.#open.set(res, admitted);
    whenClosed(res, () => this.#open.delete(res));
  }

  /** Closes the responses of callers that would no longer be admitted. */
  review(isLetIn: (admitted: Admitted) => boolean): void {
    for (const [res, admitted] of this.#open) if (!isLetIn(admitted)) res.destroy();
  }
}

/** Calls `done` once, when this response has been sent or its client is gone. */
export function whenClosed(res: ServerResponse, done: () => void): void {
  const { socket } = res.req;
  const finish = () => {
    socket.off('close', finish);
    res.off('close', finish);
    done();
  };
  res.once('close', finish);
  // A pipelined response that waits for another gets no close event of its own.
  if (res.socket) return;
  // One listener for each response that waits on this connection: not a leak.
  socket.setMaxListeners(0);
  socket.once('close', finish);
}
