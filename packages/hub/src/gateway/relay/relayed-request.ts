// A caller's request as it goes on to a server: with the caller's capabilities, log level, progress and answers.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type Client,
  type ClientCapabilities,
  type InputRequiredResult,
  LOG_LEVEL_META_KEY,
  type RequestOptions,
} from '@modelcontextprotocol/client';
import type { CallContext, Clock } from '@tidings/live';
import { LogRelay } from './log-relay.ts';
import { ProgressRelay } from './progress-relay.ts';

/** What the relay needs to know of a caller's request. */
export interface RelayedContext extends Pick<CallContext, 'caller' | 'client' | 'sessionId'> {
  mcpReq: Pick<CallContext['mcpReq'], '_meta' | 'signal' | 'notify' | 'inputResponses'> & {
    requestState(this: void): unknown;
  };
}

/** What is added to the params of a request. */
export interface RelayedParams {
  _meta?: Record<string, unknown>;
  inputResponses?: Record<string, unknown>;
  requestState?: string;
}

/** Sends the request with these additions. */
export type Send<Result> = (
  client: Client,
  params: RelayedParams,
  options: RequestOptions,
) => Promise<Result | InputRequiredResult>;

/** Longer than clients wait by default; progress restarts it. */
export const longestCallMs = 10 * 60_000;

/** What of a client's capabilities servers can make use of through the hub. */
export function relayedCapabilities({ elicitation, sampling, roots }: ClientCapabilities): ClientCapabilities {
  return { ...(elicitation && { elicitation }), ...(sampling && { sampling }), ...(roots && { roots }) };
}

/** One round of a caller's request: from its arrival to its answer. */
export class Round {
  readonly context: RelayedContext;
  readonly progress: ProgressRelay;
  readonly log: LogRelay;

  constructor(context: RelayedContext, clock: Clock) {
    this.context = context;
    const { _meta, notify } = context.mcpReq;
    const progressToken = _meta?.progressToken;
    // The caller may have disconnected.
    const tell = (method: string, params: Record<string, unknown>) =>
      void notify({ method, params }).catch(() => undefined);
    this.progress = new ProgressRelay(clock, (progress) =>
      tell('notifications/progress', { ...progress, progressToken }),
    );
    this.log = new LogRelay(clock, context.client.logLevel, (message) => tell('notifications/message', message));
  }

  /** A modern server takes everything from the request itself. */
  get modernParams(): RelayedParams {
    const { client, mcpReq } = this.context;
    const requestState = mcpReq.requestState();
    return {
      _meta: {
        [CLIENT_CAPABILITIES_META_KEY]: relayedCapabilities(client.capabilities),
        ...(client.logLevel !== undefined && { [LOG_LEVEL_META_KEY]: client.logLevel }),
      },
      ...(mcpReq.inputResponses && { inputResponses: mcpReq.inputResponses }),
      ...(typeof requestState === 'string' && { requestState }),
    };
  }

  /** The answer follows: what was held back is sent before it. */
  end(): void {
    this.progress.end();
  }
}
