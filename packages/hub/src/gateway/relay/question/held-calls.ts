// The calls that wait for answers of their callers. They are in the memory of this process, so a restart loses them;
// the state in a caller's answer shows whether that happened. `sealed-states.ts` has verified that the state was given
// to this caller.
import { randomBytes } from 'node:crypto';
import { type Clock, LiveError, RpcError } from '@tidings/live';
import type { PlainContext } from '@tidings/live/internal';
import { HeldCall } from './held-call.ts';
import { legacyPatienceMs } from '../patience.ts';

const invalidParams = -32602;
const prefix = 'tidings-held';

/** The caller and request of a held call: only the same caller may continue it, with the same request. */
export interface CallOwner {
  context: PlainContext;
  serverId: string;
  /** The name of the tool or prompt, or the URI of the resource. */
  name: string;
}

interface HeldEntry<Result> {
  call: HeldCall<Result>;
  request: string;
}

export class HeldCalls<Result> {
  readonly #clock: Clock;
  readonly #modernPatienceMs: () => number;
  /** Differs for every run of the hub. */
  readonly #life = randomBytes(6).toString('hex');
  readonly #calls = new Map<string, HeldEntry<Result>>();

  /**
   * `modernPatienceMs`: how long a modern caller may take to answer. Between two requests it is unknown whether the
   * caller is still there.
   */
  constructor(clock: Clock, modernPatienceMs: () => number) {
    this.#clock = clock;
    this.#modernPatienceMs = modernPatienceMs;
  }

  get size(): number {
    return this.#calls.size;
  }

  create(owner: CallOwner): HeldCall<Result> {
    const { era } = owner.context.caller;
    const id = randomBytes(18).toString('base64url');
    const call = new HeldCall<Result>({
      clock: this.#clock,
      serverId: owner.serverId,
      stateOf: (round) => [prefix, this.#life, id, round].join('.'),
      patienceMs: era === 'modern' ? this.#modernPatienceMs() : legacyPatienceMs,
      done: () => this.#calls.delete(id),
    });
    this.#calls.set(id, { call, request: requestOf(owner) });
    return call;
  }

  /**
   * The call that this state continues; undefined for a state of another process or of a server. Throws if the call is
   * lost.
   */
  find(state: string | undefined, owner: CallOwner): HeldCall<Result> | undefined {
    const [, life, id = '', round] = /^tidings-held\.(\w+)\.([\w-]+)\.(\d)$/.exec(state ?? '') ?? [];
    if (life !== this.#life) return undefined;
    const entry = this.#calls.get(id);
    // A state used with another request counts as unknown; an answer to an earlier round counts as late.
    const isRight = entry?.request === requestOf(owner) && entry.call.isWaitingFor(Number(round));
    if (entry && isRight) return entry.call;
    throw lostCall(owner.context, false);
  }

  close(): void {
    for (const { call } of this.#calls.values()) call.end(new LiveError('UNAVAILABLE', 'The hub is shutting down.'));
  }
}

function requestOf({ serverId, name }: CallOwner): string {
  return JSON.stringify([serverId, name]);
}

export function lostCall({ caller }: PlainContext, isRestarted: boolean): Error {
  const message = isRestarted
    ? 'The hub was restarted, or another node took the server over, while this call waited for your answer, so the call is lost: send it again.'
    : 'There is no call here that waits for this answer: it has ended, or waited too long. Send the request again.';
  if (caller.era === 'legacy') return new LiveError('UNAVAILABLE', message);
  return new RpcError(invalidParams, message, { code: 'INVALID_PARAMS', reason: 'invalid_request_state' });
}
