// What is being answered, and to whom: streams, and answers that take their time.
import type { ServerResponse } from 'node:http';
import type { Admitted } from './admission.ts';

export class OpenAnswers {
  readonly #open = new Map<ServerResponse, Admitted>();

  add(res: ServerResponse, admitted: Admitted): void {
    this.#open.set(res, admitted);
    whenClosed(res, () => this.#open.delete(res));
  }

  /** Cuts those off that would not be let in any more. */
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
  // One that waits behind another on its connection is not told when that closes.
  if (res.socket) return;
  // As many as there are responses waiting on this connection: no leak.
  socket.setMaxListeners(0);
  socket.once('close', finish);
}
