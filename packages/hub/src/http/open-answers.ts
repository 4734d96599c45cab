// What is being answered, and to whom: streams, and answers that take their time.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Admitted } from './admission.ts';

export class OpenAnswers {
  readonly #open = new Map<ServerResponse, Admitted>();

  add({ socket }: IncomingMessage, res: ServerResponse, admitted: Admitted): void {
    this.#open.set(res, admitted);
    const forget = () => {
      this.#open.delete(res);
      socket.off('close', forget);
    };
    res.once('close', forget);
    // One that waits behind another on its connection is not told when that closes.
    if (!res.socket) socket.once('close', forget);
  }

  /** Cuts those off that would not be let in any more. */
  review(isLetIn: (admitted: Admitted) => boolean): void {
    for (const [res, admitted] of this.#open) if (!isLetIn(admitted)) res.destroy();
  }
}
