// The states of modern servers' questions, for one caller each. To a server all callers of the hub are one client, so
// it cannot verify whose state comes back: a caller might continue the call of another with a state that it has
// guessed. The key is this process's own, so a restart of the hub ends the states.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type CallOwner, lostCall, nameOf } from './held-calls.ts';

const prefix = 'tidings-state';

export class SealedStates {
  readonly #key = randomBytes(32);
  /** Differs for every run of the hub. */
  readonly #life = randomBytes(6).toString('hex');

  /** What the caller gets instead of the server's own. */
  seal(state: string, owner: CallOwner): string {
    const text = Buffer.from(state).toString('base64url');
    return [prefix, this.#life, text, this.#sign(text, owner).toString('base64url')].join('.');
  }

  /** The server's own; undefined for a request without one. Throws where it was not given to this caller for this. */
  open(owner: CallOwner): string | undefined {
    const state = owner.context.mcpReq.requestState();
    if (state === undefined) return undefined;
    const [, life, text = '', signature = ''] =
      /^tidings-state\.(\w+)\.([\w-]*)\.([\w-]+)$/.exec(typeof state === 'string' ? state : '') ?? [];
    const [given, right] = [Buffer.from(signature, 'base64url'), this.#sign(text, owner)];
    if (given.length === right.length && timingSafeEqual(given, right))
      return Buffer.from(text, 'base64url').toString();
    throw lostCall(owner.context, life !== undefined && life !== this.#life);
  }

  #sign(text: string, owner: CallOwner): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([text, nameOf(owner)]))
      .digest();
  }
}
