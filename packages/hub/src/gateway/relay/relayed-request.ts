// A caller's request as it is sent to a server: with the caller's capabilities, log level, progress and answers.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Client,
  type ClientCapabilities,
  type InputRequiredResult,
  LOG_LEVEL_META_KEY,
  type LoggingMessageNotificationParams,
  PROTOCOL_VERSION_META_KEY,
  RELATED_TASK_META_KEY,
  type RequestOptions,
} from '@modelcontextprotocol/client';
import type { CallContext, Clock } from '@tidings/live';
import { type PlainContext, digestOf } from '@tidings/live/internal';
import { tasksExtension } from '@tidings/track/internal';
import { passedExtensions } from './passed-extensions.ts';
import type { KeepTask } from './own-task.ts';
import { ProgressRelay } from './progress-relay.ts';

/** Additions to the params of a request. */
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
  /** Undefined unless the request is sent on a session of the caller's own. */
  keepTask?: KeepTask,
) => Promise<Result | InputRequiredResult>;

/** The capabilities of a client that servers can use through the hub. */
export function relayedCapabilities(capabilities: ClientCapabilities): ClientCapabilities {
  const { elicitation, sampling, roots, experimental } = capabilities;
  const extensions = passedExtensions(capabilities.extensions);
  return {
    ...(elicitation && { elicitation }),
    ...(sampling && { sampling }),
    ...(roots && { roots }),
    ...(experimental && { experimental }),
    ...(extensions && { extensions }),
  };
}

/**
 * The `_meta` key that identifies the caller of a request if name and version do not: another node and `tidings
 * connect` set it, and any client may.
 */
export const callerMetaKey = 'tidings/caller';
const longestMark = 100;

/** The caller's mark. It need not be secret, because it only distinguishes callers of one principal. */
export function markOf({ mcpReq }: Pick<PlainContext, 'mcpReq'>): string | undefined {
  const mark = mcpReq._meta?.[callerMetaKey];
  return isMark(mark) ? mark : undefined;
}

export function isMark(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestMark;
}

/** Keys of `_meta` that describe the request itself; the rest is for the server. */
const ownKeys = new Set<string>([
  'progressToken',
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  callerMetaKey,
]);

/** The `_meta` for the server: trace context and keys of vendors; undefined if there are none. */
export function passedMeta(meta: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const entries = Object.entries(meta ?? {}).filter(([key]) => !ownKeys.has(key));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The `_meta` of a request to a modern server, which takes everything about the caller's client from it. */
export function metaForModern({ client, mcpReq }: PlainContext, mark?: string): Record<string, unknown> {
  return {
    ...passedMeta(mcpReq._meta),
    ...(mark !== undefined && { [callerMetaKey]: mark }),
    [CLIENT_CAPABILITIES_META_KEY]: relayedCapabilities(client.capabilities),
    ...(client.info && { [CLIENT_INFO_META_KEY]: client.info }),
    ...(client.logLevel !== undefined && { [LOG_LEVEL_META_KEY]: client.logLevel }),
  };
}

/**
 * Whether the caller manages the task of this call itself: a modern client declares the extension, a 2025-era one asks
 * for the task.
 */
export function takesTasks({ caller, client, task }: Pick<CallContext, 'caller' | 'client' | 'task'>): boolean {
  return caller.era === 'modern' ? client.capabilities.extensions?.[tasksExtension] !== undefined : task !== undefined;
}

/** One round of a caller's request: from its arrival to its answer. */
export class Round {
  readonly context: PlainContext;
  readonly progress: ProgressRelay;

  constructor(context: PlainContext, clock: Clock) {
    this.context = context;
    const { _meta, notify } = context.mcpReq;
    const progressToken = _meta?.progressToken;
    // A send fails if the caller has disconnected, which is not an error.
    const tell = (method: string, params: Record<string, unknown>) =>
      void notify({ method, params }).catch(() => undefined);
    this.progress = new ProgressRelay(clock, (progress) =>
      tell('notifications/progress', { ...withoutTask(progress), progressToken }),
    );
  }

  /** Passes a log message on, if the caller's client takes messages of that level. */
  log(message: LoggingMessageNotificationParams): void {
    const { level, data, logger, _meta } = withoutTask(message);
    this.context.log(level, data, logger, _meta);
  }

  /** Additions for a 2025-era server; the rest belongs to its session. */
  get legacyParams(): RelayedParams {
    const meta = passedMeta(this.context.mcpReq._meta);
    return meta ? { _meta: meta } : {};
  }

  /** Additions for a modern server, which takes everything from the request. `requestState` is the server's own. */
  modernParams(requestState: string | undefined, mark: string | undefined): RelayedParams {
    const { mcpReq } = this.context;
    return {
      _meta: metaForModern(this.context, mark),
      ...(mcpReq.inputResponses && { inputResponses: mcpReq.inputResponses }),
      ...(requestState !== undefined && { requestState }),
    };
  }

  /** Call it before the answer: sends the progress that was held back. */
  end(): void {
    this.progress.end();
  }
}

/**
 * Removes the server's id of the task that the message belongs to: the caller knows the task by the hub's id, if at
 * all.
 */
function withoutTask<Message extends object>(
  message: Message & { _meta?: Record<string, unknown> | undefined },
): Message {
  const { [RELATED_TASK_META_KEY]: task, ...others } = message._meta ?? {};
  return task === undefined ? message : { ...message, _meta: others };
}

/**
 * A mark that distinguishes the callers of this node without naming them: a digest of the principal, then one of the
 * client.
 */
export function markForNode(context: PlainContext): string {
  const { caller, client, sessionId } = context;
  const subject = caller.auth?.subject;
  const who = caller.era === 'legacy' ? sessionId : [client.info?.name, client.info?.version, markOf(context)];
  return [[subject], [caller.era, subject, who]].map((each) => digestOf(JSON.stringify(each))).join(' ');
}
