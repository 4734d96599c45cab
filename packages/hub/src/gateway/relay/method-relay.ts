// Passes on the requests of one method, during which a server may ask the caller's client for something.
//
// A modern server gets everything with the request, on the connection that all callers share, and asks in its answer.
// A session of the 2025 era belongs to one client, with that client's capabilities and the server's state for it:
//   - Over HTTP a session costs no process: a caller whose client supports questions, or who wants log messages, makes
//     all its calls on a session of its own, as it would without the hub. It is never moved to another session.
//   - On stdio a session is a process with its own state, so callers share one session, on which questions are refused,
//     until the server shows that it asks. From then on, also after a restart, callers whose client supports questions
//     have a process each. The call that showed it is made again there if that is safe; otherwise the caller gets
//     an error that says so.
import {
  type Client,
  type ClientCapabilities,
  type InputRequiredResult,
  type Progress,
  ProtocolError,
  type RequestOptions,
  SdkHttpError,
  isInputRequiredResult,
} from '@modelcontextprotocol/client';
import { type Clock, LiveError } from '@tidings/live';
import type { PlainContext } from '@tidings/live/internal';
import type { CallListener } from '@tidings/track/internal';
import type { View } from '../view.ts';
import type { CallerSessions } from './caller-sessions.ts';
import { capabilityRefusal, errorForCaller } from './error-for-caller.ts';
import type { HeldCall } from './question/held-call.ts';
import { HeldCalls, lostCall } from './question/held-calls.ts';
import { longestCallMs, longestWaitMs } from '@tidings/client/contract';
import type { SessionServer } from './pooled-session.ts';
import { Round, type Send, markForNode } from './relayed-request.ts';
import { SealedStates } from './question/sealed-states.ts';
import { withAsker } from './question/with-asker.ts';
import { assertUrlsAccepted, urlQuestions } from './question/url-elicitation.ts';
import { couldNotAsk, offers, wantedIn } from './question/wanted-capability.ts';

export interface RelayedCall<Result> {
  upstream: SessionServer;
  view: Pick<View, 'use'>;
  context: PlainContext;
  /** The name of the tool or prompt, or the URI of the resource. */
  name: string;
  /** Whether the call may be made twice without harm. */
  isRepeatable: boolean;
  /** Whether questions name the server that asks, because there are several servers. */
  namesAsker?: boolean | undefined;
  send: Send<Result>;
}

interface MethodRelayDeps<Result> {
  clock: Clock;
  /** Signs the states that callers send back. */
  key: Buffer;
  sessions: CallerSessions;
  /** Identifies the caller to another hub behind this one; set if this process has only one caller. */
  mark?: string | undefined;
  /** How long a modern caller may take to answer. */
  patienceMs(this: void): number;
  /** The text of a result that reports a failure; undefined for any other result. */
  failureIn(this: void, result: Result): string | undefined;
}

export class MethodRelay<Result extends object> {
  readonly #deps: MethodRelayDeps<Result>;
  readonly #held: HeldCalls<Result | InputRequiredResult>;
  readonly #states: SealedStates;

  constructor(deps: MethodRelayDeps<Result>) {
    this.#deps = deps;
    this.#held = new HeldCalls(deps.clock, deps.patienceMs);
    this.#states = new SealedStates(deps.key);
  }

  /** The number of calls on callers' own sessions. */
  get held(): number {
    return this.#held.size;
  }

  async request(call: RelayedCall<Result>): Promise<Result | InputRequiredResult> {
    const { upstream, context } = call;
    const owner = { ...call, serverId: upstream.id };
    try {
      const answer = await this.#answer(call, this.#states.open(owner));
      if (!isInputRequiredResult(answer)) return answer;
      const named = call.namesAsker ? withAsker(answer, upstream.id) : answer;
      const { requestState } = named;
      return requestState === undefined ? named : { ...named, requestState: this.#states.seal(requestState, owner) };
    } catch (error) {
      throw errorForCaller(upstream, context.caller, error);
    }
  }

  close(): void {
    this.#held.close();
  }

  /** `state`: from the server, or from a call that this process or another node holds. */
  async #answer(call: RelayedCall<Result>, state: string | undefined): Promise<Result | InputRequiredResult> {
    const { upstream, view, context } = call;
    const held = this.#held.find(state, { ...call, serverId: upstream.id });
    if (held) return this.#checkedForCapability(call, held.next(this.#round(context)));
    const isModern = () => view.use(async (client) => client.getProtocolEra() === 'modern');
    if (await isModern()) return this.#onSharedSession(call, { state });
    // A 2025-era server has no states, so this one belongs to a lost call.
    if (state !== undefined) throw lostCall(context, true);
    try {
      return await this.#legacy(call);
    } catch (error) {
      // The call was not sent, and the shared session is opened again.
      if (error instanceof ChangedEra && (await isModern())) return this.#onSharedSession(call, {});
      throw error;
    }
  }

  async #legacy(call: RelayedCall<Result>): Promise<Result | InputRequiredResult> {
    const { upstream, context } = call;
    const { capabilities } = context.client;
    assertUrlsAccepted(context);
    if (await this.#needsOwnSession(call)) return this.#checkedForCapability(call, this.#onOwnSession(call));
    let hasAsked = false;
    const trying = this.#onSharedSession(call, { listener: { asked: () => (hasAsked = true) } });
    const wanted = await this.#wantedBy(trying);
    if (hasAsked) upstream.noteClientRequest();
    if (wanted === undefined || !offers(capabilities, wanted)) return this.#checkedForCapability(call, trying);
    // The server failed because it could not ask: only now is it worth a session.
    upstream.noteClientRequest();
    if (!call.isRepeatable) throw new LiveError('UNAVAILABLE', couldNotAsk(upstream, wanted));
    return this.#checkedForCapability(call, this.#onOwnSession(call));
  }

  async #needsOwnSession({ upstream, view, context }: RelayedCall<Result>): Promise<boolean> {
    const { capabilities, logLevel } = context.client;
    const { elicitation, sampling, roots } = capabilities;
    const { entry, sendsRequests } = upstream;
    if (entry.sessionPerCaller) return true;
    const isOverHttp = 'url' in entry;
    if (elicitation || sampling || roots) return isOverHttp || sendsRequests;
    if (!isOverHttp || logLevel === undefined) return false;
    return view.use(async (client) => client.getServerCapabilities()?.logging !== undefined);
  }

  async #onSharedSession(
    call: RelayedCall<Result>,
    { listener, state }: { listener?: CallListener; state?: string | undefined },
  ): Promise<Result | InputRequiredResult> {
    const { upstream, view, context, send } = call;
    const round = this.#round(context);
    let isModern = false;
    const work = (client: Client) => {
      isModern = client.getProtocolEra() === 'modern';
      const options = { ...this.#options(context, round), signal: context.mcpReq.signal, allowInputRequired: true };
      return send(
        client,
        isModern
          ? round.modernParams(state, upstream.isReachedByNode ? markForNode(context) : this.#deps.mark)
          : round.legacyParams,
        options,
      );
    };
    try {
      // On a shared session of the 2025 era, a log message may concern any caller.
      return await view.use(work, { ...listener, logged: (message) => isModern && round.log(message) });
    } finally {
      round.end();
    }
  }

  #onOwnSession(call: RelayedCall<Result>): Promise<Result | InputRequiredResult> {
    const held = this.#held.create({ ...call, serverId: call.upstream.id });
    held.begin(this.#run(call, held));
    return held.next(this.#round(call.context));
  }

  async #run(
    call: RelayedCall<Result>,
    held: HeldCall<Result | InputRequiredResult>,
  ): Promise<Result | InputRequiredResult> {
    const { upstream, context, send } = call;
    const lease = await this.#deps.sessions.take(upstream, context, held);
    let isClean = false;
    try {
      const { session } = lease;
      if (session.era === 'modern') throw new ChangedEra(upstream);
      // Progress goes to the round in which the caller waits; between two rounds there is nowhere to send it.
      const options = { ...this.#options(context, { progress: { push: (each) => held.round?.progress.push(each) } }) };
      const { legacyParams } = this.#round(context);
      const work = (client: Client) => send(client, legacyParams, { ...options, signal: held.signal }, lease.keepTask);
      const result = await session.work(work, { logged: (message) => held.round?.log(message) });
      isClean = true;
      return result;
    } catch (error) {
      isClean = error instanceof ProtocolError;
      if (!lease.isUsed || held.signal.aborted || !isUnknownSession(error)) throw error;
    } finally {
      if (held.hasAsked) upstream.noteClientRequest();
      lease.release(isClean && held.isAwaited && !held.hasOpenQuestions && !held.signal.aborted);
    }
    // The server had ended the session and has not handled the call.
    return this.#run(call, held);
  }

  #options(context: PlainContext, { progress }: { progress: { push(progress: Progress): void } }): RequestOptions {
    const wantsProgress = context.mcpReq._meta?.progressToken !== undefined;
    return {
      // A call of a hub may wait for a change, and the hub limits calls of its servers itself.
      timeout: longestCallMs + (this.#deps.mark === undefined ? 0 : longestWaitMs),
      resetTimeoutOnProgress: true,
      ...(wantsProgress && { onprogress: (each: Progress) => progress.push(each) }),
    };
  }

  #round(context: PlainContext): Round {
    return new Round(context, this.#deps.clock);
  }

  /** The capability that the server needed, if it failed for lack of it. */
  async #wantedBy(answering: Promise<Result | InputRequiredResult>): Promise<ClientCapabilities | undefined> {
    try {
      const words = this.#failureIn(await answering);
      return words === undefined ? undefined : wantedIn(words);
    } catch (error) {
      return error instanceof ProtocolError ? wantedIn(error.message) : undefined;
    }
  }

  /** The answer of a 2025-era server. A question that it could not ask becomes a missing capability. */
  async #checkedForCapability(
    { upstream, context }: RelayedCall<Result>,
    answering: Promise<Result | InputRequiredResult>,
  ): Promise<Result | InputRequiredResult> {
    const { caller, client } = context;
    const wanted = await this.#wantedBy(answering);
    if (wanted && !offers(client.capabilities, wanted)) throw capabilityRefusal(upstream, caller, wanted);
    try {
      return await answering;
    } catch (error) {
      const questions = caller.era === 'modern' ? urlQuestions(error) : undefined;
      if (questions === undefined) throw error;
      return questions;
    }
  }

  #failureIn(result: Result | InputRequiredResult): string | undefined {
    return isInputRequiredResult(result) ? undefined : this.#deps.failureIn(result);
  }
}

/** Whether a server over HTTP refused a request because it does not know the session any more. */
function isUnknownSession(error: unknown): boolean {
  const cause = error instanceof LiveError ? error.cause : undefined;
  return cause instanceof SdkHttpError && (cause.status === 404 || cause.status === 410);
}

/** The server speaks 2026-07-28, and the shared session is of the 2025 era. */
class ChangedEra extends LiveError {
  constructor({ id }: SessionServer) {
    super('UNAVAILABLE', `The server "${id}" has just changed its protocol version: send this again.`);
  }
}
