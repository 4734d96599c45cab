// Passes on what a caller's client and a server exchange besides requests and answers: questions (elicitation,
// sampling, roots), log messages, progress, cancellation. One relay for all gateways of the hub.
import { createHmac, randomBytes } from 'node:crypto';
import {
  CLIENT_INFO_META_KEY,
  type CallToolResult,
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  type ReadResourceResult,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { type CallContext, type Clock, RpcError } from '@tidings/live';
import type { PlainReadRequest } from '@tidings/live/internal';
import type { Upstream } from '@tidings/track';
import { asSent, fromRead } from '@tidings/track/internal';
import { readOnce } from '../../base/read-once.ts';
import type { Owned } from '../owner/ownership.ts';
import type { View } from '../view.ts';
import { CallerSessions, type TaskSession } from './caller-sessions.ts';
import { missingIn } from './error-for-caller.ts';
import { MethodRelay } from './method-relay.ts';
import { legacyPatienceMs } from './patience.ts';
import { type Send, callerMetaKey, passedMeta } from './relayed-request.ts';
import { TaskCalls } from './task/task-calls.ts';
import { wantedIn } from './question/wanted-capability.ts';

interface RelayOptions {
  clock: Clock;
  /** How long a modern caller may take to answer a 2025-era server. */
  patienceMs(this: void): number;
  /** The secret that the nodes of a cluster share, so that a caller may continue at another node. */
  secret?: string | undefined;
  /** Identifies the caller to another hub behind this one; set if this process has only one caller. */
  mark?: string | undefined;
}

export class Relay {
  readonly tools: MethodRelay<CallToolResult>;
  readonly prompts: MethodRelay<GetPromptResult>;
  /** Requests with methods of extensions. */
  readonly others: MethodRelay<Record<string, unknown>>;
  readonly tasks: TaskCalls;
  readonly #reads: MethodRelay<ReadResourceResult>;
  readonly #sessions: CallerSessions;
  readonly #mark: string | undefined;

  constructor({ clock, patienceMs, secret, mark }: RelayOptions) {
    const sessions = new CallerSessions(clock);
    const root = secret ?? randomBytes(32);
    const keyFor = (purpose: string) => createHmac('sha256', root).update(purpose).digest();
    const deps = (method: string) => ({ clock, sessions, patienceMs, mark, key: keyFor(method) });
    this.#sessions = sessions;
    this.#mark = mark;
    this.tasks = new TaskCalls(clock, keyFor('tasks'), (era) => (era === 'legacy' ? legacyPatienceMs : patienceMs()));
    this.tools = new MethodRelay({ ...deps('tools/call'), failureIn: textOfFailure });
    this.prompts = new MethodRelay({ ...deps('prompts/get'), failureIn: () => undefined });
    this.others = new MethodRelay({ ...deps('others'), failureIn: () => undefined });
    this.#reads = new MethodRelay({ ...deps('resources/read'), failureIn: () => undefined });
  }

  /** The caller's own session that a task is in; undefined if it has ended. */
  sessionOf(sessionId: string, taskId: string): TaskSession | undefined {
    return this.#sessions.ofTask(sessionId, taskId);
  }

  /** Call it when a modern caller seems to have left at `since`. */
  left(subject: string, mark: string, since: number): void {
    this.#sessions.left(subject, mark, since);
  }

  /** Reads a resource. Most reads need nothing of the caller, so they share the tracker's contents and requests. */
  async read(
    { upstream, uri }: Owned,
    view: View,
    context: CallContext,
    namesAsker: boolean,
  ): Promise<ReadResourceResult | InputRequiredResult> {
    // A hub behind this one has to know whose read it is.
    if (this.#mark === undefined && !concernsItsCaller(context)) {
      try {
        return await view.read(uri, context.mcpReq.signal);
      } catch (error) {
        if (!isQuestion(error)) throw error;
      }
      upstream.noteClientRequest();
    }
    try {
      const send: Send<ReadResourceResult> = async (client, params, options) =>
        asSent(await readOnce(client, { uri, ...params }, options));
      return await this.#reads.request({ upstream, view, context, name: uri, isRepeatable: true, namesAsker, send });
    } catch (error) {
      throw asReadError(upstream, uri, error);
    }
  }

  /** Reads a resource for a request that needs nothing else of its caller. */
  async readPlain(
    { upstream, uri }: Owned,
    view: View,
    { client, signal }: PlainReadRequest,
  ): Promise<ReadResourceResult> {
    const mark = this.#mark;
    if (mark === undefined) return view.read(uri, signal());
    const _meta = { [callerMetaKey]: mark, ...(client && { [CLIENT_INFO_META_KEY]: client }) };
    try {
      return await view.use(async (sdk) => asSent(await readOnce(sdk, { uri, _meta }, { signal: signal() })));
    } catch (error) {
      throw asReadError(upstream, uri, error);
    }
  }

  async close(): Promise<void> {
    for (const each of [this.tools, this.prompts, this.others, this.#reads, this.tasks]) each.close();
    await this.#sessions.close();
  }
}

function textOfFailure({ isError, content }: CallToolResult): string | undefined {
  if (isError !== true) return undefined;
  return content.map((block) => (block?.type === 'text' ? block.text : '')).join('\n');
}

/** Whether the request continues an earlier round, or its caller has to get something besides the answer. */
function concernsItsCaller({ mcpReq, client }: CallContext): boolean {
  const { inputResponses, requestState, _meta } = mcpReq;
  if (inputResponses !== undefined || requestState() !== undefined) return true;
  return _meta?.progressToken !== undefined || client.logLevel !== undefined || passedMeta(_meta) !== undefined;
}

/** Converts the error to the codes of reads on the shared connection. */
function asReadError({ id }: Upstream, uri: string, error: unknown): unknown {
  const cause = error instanceof RpcError ? error.cause : error;
  return cause === undefined ? error : fromRead(id, uri, cause, (text) => text);
}

/** Whether a read failed because the server needed something from its client. */
export function isQuestion(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  if (missingIn(cause) !== undefined) return true;
  if (cause instanceof ProtocolError) return wantedIn(cause.message) !== undefined;
  return cause instanceof SdkError && cause.code === SdkErrorCode.CapabilityNotSupported;
}
