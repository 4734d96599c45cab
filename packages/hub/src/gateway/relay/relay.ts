// Passes requests on in which a server may ask the caller's client for something (elicitation, sampling, roots), log,
// or report progress. A modern server gets all of it with the request, on the connection that all callers share, and
// asks in its answer.
import {
  type Client,
  type InputRequiredResult,
  type ReadResourceResult,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { type CallContext, type Clock, RpcError } from '@tidings/live';
import { type Upstream, fromRead } from '@tidings/track';
import type { Owned } from '../ownership.ts';
import type { View } from '../view.ts';
import { errorForCaller, missingIn } from './error-for-caller.ts';
import { Round, type Send } from './relayed-request.ts';

export interface RelayedCall<Result> {
  upstream: Upstream;
  view: View;
  context: CallContext;
  send: Send<Result>;
}

export class Relay {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async request<Result>({ upstream, view, context, send }: RelayedCall<Result>): Promise<Result | InputRequiredResult> {
    const round = new Round(context, this.#clock);
    const options = { ...round.options, signal: context.mcpReq.signal, allowInputRequired: true };
    let isModern = false;
    try {
      const work = (client: Client) => {
        isModern = client.getProtocolEra() === 'modern';
        return send(client, isModern ? round.modernParams : {}, options);
      };
      // On a session of the 2025 era that callers share, a log message may be about anything.
      return await view.use(work, { logged: (message) => isModern && round.log.push(message) });
    } catch (error) {
      throw errorForCaller(upstream, context.caller, error);
    } finally {
      round.end();
    }
  }

  /** Most reads need nothing of the caller, so they share the tracker's contents and requests. */
  async read(
    { upstream, uri }: Owned,
    view: View,
    context: CallContext,
  ): Promise<ReadResourceResult | InputRequiredResult> {
    if (!concernsItsCaller(context)) {
      try {
        return await view.read(uri);
      } catch (error) {
        if (!isQuestion(error)) throw error;
      }
    }
    try {
      const send: Send<ReadResourceResult> = (client, params, options) =>
        // Not readResource: the SDK would remember every URI that was ever read, even without its cache.
        client.request({ method: 'resources/read', params: { uri, ...params } }, options);
      return await this.request({ upstream, view, context, send });
    } catch (error) {
      throw asReadError(upstream, uri, error);
    }
  }
}

/** Whether it continues an earlier round, or something besides the answer is to be sent to its caller. */
function concernsItsCaller({ mcpReq, client }: CallContext): boolean {
  const { inputResponses, requestState, _meta } = mcpReq;
  if (inputResponses !== undefined || requestState() !== undefined) return true;
  return _meta?.progressToken !== undefined || client.logLevel !== undefined;
}

/** The codes that reads have on the shared connection. */
function asReadError({ id }: Upstream, uri: string, error: unknown): unknown {
  const cause = error instanceof RpcError ? error.cause : error;
  return cause === undefined ? error : fromRead(id, uri, cause, (text) => text);
}

/** Whether a read failed because the server wanted something of its client. */
function isQuestion(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (missingIn(cause) !== undefined) return true;
  return cause instanceof SdkError && cause.code === SdkErrorCode.CapabilityNotSupported;
}
