// What goes between a caller's client and a server besides requests and answers: questions (elicitation, sampling,
// roots), log messages, progress, cancellation. One for all gateways of the hub.
import {
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  type ReadResourceResult,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { type CallContext, type Clock, RpcError } from '@tidings/live';
import { type Upstream, fromRead } from '@tidings/track';
import type { Owned } from '../ownership.ts';
import type { View } from '../view.ts';
import { CallerSessions } from './caller-sessions.ts';
import { missingIn } from './error-for-caller.ts';
import { MethodRelay } from './method-relay.ts';
import type { Send } from './relayed-request.ts';
import { wantedIn } from './wanted-capability.ts';

export class Relay {
  readonly tools: MethodRelay<CallToolResult>;
  readonly prompts: MethodRelay<GetPromptResult>;
  readonly #reads: MethodRelay<ReadResourceResult>;
  readonly #sessions: CallerSessions;

  constructor(clock: Clock) {
    const sessions = new CallerSessions(clock);
    this.#sessions = sessions;
    this.tools = new MethodRelay({ clock, sessions, failureIn: textOfFailure });
    this.prompts = new MethodRelay({ clock, sessions, failureIn: () => undefined });
    this.#reads = new MethodRelay({ clock, sessions, failureIn: () => undefined });
  }

  /** What is open at the moment. */
  stats(): { sessions: number; held: number } {
    return { sessions: this.#sessions.size, held: this.tools.held + this.prompts.held + this.#reads.held };
  }

  /** Most reads need nothing of the caller, so they share the tracker's contents and requests. */
  async read(
    { upstream, uri }: Owned,
    view: View,
    context: CallContext,
    namesAsker: boolean,
  ): Promise<ReadResourceResult | InputRequiredResult> {
    if (!concernsItsCaller(context)) {
      try {
        return await view.read(uri);
      } catch (error) {
        if (!isQuestion(error)) throw error;
      }
      this.#reads.asks(upstream);
    }
    try {
      const send: Send<ReadResourceResult> = (client, params, options) =>
        // Not readResource: the SDK would remember every URI that was ever read, even without its cache.
        client.request({ method: 'resources/read', params: { uri, ...params } }, options);
      return await this.#reads.request({ upstream, view, context, name: uri, namesAsker, send });
    } catch (error) {
      throw asReadError(upstream, uri, error);
    }
  }

  async close(): Promise<void> {
    for (const method of [this.tools, this.prompts, this.#reads]) method.close();
    await this.#sessions.close();
  }
}

function textOfFailure({ isError, content }: CallToolResult): string | undefined {
  if (isError !== true) return undefined;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
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
  if (cause instanceof ProtocolError) return wantedIn(cause.message) !== undefined;
  return cause instanceof SdkError && cause.code === SdkErrorCode.CapabilityNotSupported;
}
