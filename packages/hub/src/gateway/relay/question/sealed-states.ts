// Seals the states of questions for one caller each: states of modern servers, and of calls that this hub holds. To a
// server all callers of the hub are one client, so it cannot verify whose state comes back: a caller could continue
// another's call with a guessed state. Another node seals states for its own callers.
import { createHmac } from 'node:crypto';
import { isNode } from '../../../access/node-principal.ts';
import { isSignature, signatureOf } from '../../../base/signed-text.ts';
import { type CallOwner, lostCall } from './held-calls.ts';

const prefix = 'tidings-state';

export class SealedStates {
  readonly #key: Buffer;
  /** Differs for every key. */
  readonly #life: string;

  /**
   * The key is the same in all nodes of a cluster; otherwise it differs for each run, so that states end with a restart
   * of the hub.
   */
  constructor(key: Buffer) {
    this.#key = key;
    this.#life = createHmac('sha256', key).update('life').digest('hex').slice(0, 12);
  }

  /** The sealed form of a state, for the caller. */
  seal(state: string, owner: CallOwner): string {
    if (isNode(owner.context.caller)) return state;
    const text = Buffer.from(state).toString('base64url');
    return [prefix, this.#life, text, signatureOf(signedText(text, owner), this.#key)].join('.');
  }

  /**
   * The state in a request; undefined if it has none. Throws if the state was not given to this caller for this
   * request.
   */
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
