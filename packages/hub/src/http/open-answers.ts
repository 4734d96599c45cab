// What is being answered, and to whom: streams, and answers that take their time.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../access/scope.ts';

export class OpenAnswers {
  readonly #open = new Map<ServerResponse, Principal>();

  add({ socket }: IncomingMessage, res: ServerResponse, principal: Principal): void {
    this.#open.set(res, principal);
    const forget = () => {
      this.#open.delete(res);
      socket.off('close', forget);
    };
    res.once('close', forget);
    // One that waits behind another on its connection is not told when that closes.
    if (!res.socket) socket.once('close', forget);
  }

  /** Cuts off whoever is not let in any more. */
  review(isLetIn: (principal: Principal) => boolean): void {
    for (const [res, principal] of this.#open) if (!isLetIn(principal)) res.destroy();
  }
}
