// The states of questions, for one caller each: those of modern servers, and those of calls that this hub holds. To a
// server all callers of the hub are one client, so it cannot verify whose state comes back: a caller might continue the
// call of another with a state that it has guessed. Another node seals them for its own callers.
import { createHmac } from 'node:crypto';
import { isNode } from '../../access/node-principal.ts';
import { isSignature, signatureOf } from '../../base/signed-text.ts';
import { type CallOwner, lostCall } from './held-calls.ts';

const prefix = 'tidings-state';

export class SealedStates {
  readonly #key: Buffer;
  /** Differs for every key. */
  readonly #life: string;

  /** The same key in all nodes of a cluster; otherwise one for each run, so that a restart of the hub ends the states. */
  constructor(key: Buffer) {
    this.#key = key;
    this.#life = createHmac('sha256', key).update('life').digest('hex').slice(0, 12);
  }

  /** What the caller gets instead of the state itself. */
  seal(state: string, owner: CallOwner): string {
    if (isNode(owner.context.caller)) return state;
    const text = Buffer.from(state).toString('base64url');
    return [prefix, this.#life, text, signatureOf(signedText(text, owner), this.#key)].join('.');
  }

  /** The state itself; undefined for a request without one. Throws if it was not given to this caller for this. */
  open(owner: CallOwner): string | undefined {
    const state = owner.context.mcpReq.requestState();
    if (state === undefined) return undefined;
    if (typeof state !== 'string') throw lostCall(owner.context, false);
    if (isNode(owner.context.caller)) return state;
    const [, life, text = '', signature = ''] = /^tidings-state\.(\w+)\.([\w-]*)\.([\w-]+)$/.exec(state) ?? [];
    if (isSignature(signature, signedText(text, owner), this.#key)) return Buffer.from(text, 'base64url').toString();
    throw lostCall(owner.context, life !== undefined && life !== this.#life);
  }
}

function signedText(text: string, { context, serverId, name }: CallOwner): string {
  return JSON.stringify([text, context.caller.auth?.subject ?? '', serverId, name]);
}
