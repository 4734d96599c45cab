// Requests about tasks that clients manage themselves, at servers of the same era: passed on, with the hub's ids in
// place of the servers'.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type Client,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  isInputRequiredResult,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import { type CallContext, type Caller, LiveError, RpcError } from '@tidings/live';
import type { Fields } from '@tidings/live/portable';
import type { Upstream } from '@tidings/track';
import { tasksExtension } from '@tidings/track/internal';
import { z } from 'zod';
import { isNode } from '../../access/node-principal.ts';
import type { PermissionsOf } from '../../access/permissions.ts';
import { namedContent } from './named-content.ts';
import type { TaskSession } from '../relay/caller-sessions.ts';
import type { PutQuestion } from '../relay/own-task.ts';
import { legacyPatienceMs } from '../relay/patience.ts';
import type { Relay } from '../relay/relay.ts';
import { longestCallMs } from '@tidings/client/contract';
import { relayedCapabilities } from '../relay/relayed-request.ts';
import { withTasks } from '../relay/task/task-calls.ts';
import type { PassedTask } from '../relay/task/task-ids.ts';
import { couldNotAsk, offers, wantedIn } from '../relay/question/wanted-capability.ts';
import { namedAfter, withAsker } from '../relay/question/with-asker.ts';
import type { Views } from '../view.ts';

export interface PassedTasksOptions {
  upstreams: () => Iterable<Upstream>;
  views: Views;
  relay: Relay;
  /** Whether questions to a user name the server that asks. */
  namesAsker: boolean;
  permissionsOf: PermissionsOf;
  /** Returns the URI of a server's resource on the gateway; undefined if the caller may not read it. */
  uriOf(this: void, upstream: Upstream, uri: string, caller: Caller): string | undefined;
}

interface FoundTask extends Pick<PassedTask, 'taskId' | 'session'> {
  upstream: Upstream;
}

const answerMs = 60_000;
const methodNotFound = -32601;
/** Tasks in one page of a list: each is a request to its server. */
const pageSize = 20;
const anything = z.looseObject({});
const failureSchema = z.looseObject({
  isError: z.boolean(),
  content: z.array(z.looseObject({ text: z.string().optional() })),
});
const methods = ['tasks/get', 'tasks/update', 'tasks/result', 'tasks/cancel'] as const;

export function passTasks(options: PassedTasksOptions) {
  const answer = (method: string) => async (params: Fields, context: CallContext) => {
    assertTakesTasks(context);
    const found = findTask(options, params['taskId'], context.caller);
    if (found === undefined) throw new NoSuchTask();
    const { upstream, taskId } = found;
    const own = ownSession(options, found);
    const { inputResponses, signal } = context.mcpReq;
    const send = (method: string) => (client: Client) => {
      const isModern = client.getProtocolEra() === 'modern';
      if (isModern !== (context.caller.era === 'modern')) throw new NoSuchTask();
      const { capabilities } = context.client;
      const modernParams = withTasks({ _meta: { [CLIENT_CAPABILITIES_META_KEY]: relayedCapabilities(capabilities) } });
      const request = {
        method,
        params: { taskId, ...(isModern && modernParams), ...(inputResponses && { inputResponses }) },
      };
      // `tasks/result` waits until the task is done.
      const timeout = method === 'tasks/result' ? longestCallMs : answerMs;
      return client.request(request, anything, { timeout, signal });
    };
    const put = putTo(context, {
      taskId: String(params['taskId']),
      asker: options.namesAsker ? upstream.id : undefined,
    });
    const stopAsking = method === 'tasks/result' ? own?.task?.listen(put) : undefined;
    const used = own ?? { work: options.views.of(upstream, context.caller).use };
    const result = await used.work(send(method)).finally(stopAsking);
    if (method === 'tasks/result' || method === 'tasks/cancel') own?.finished();
    if (method === 'tasks/result') {
      if (own === undefined) noteQuestion(upstream, result, context);
      return { ...named(options, upstream, result, context.caller), ...aboutTask(result, params['taskId']) };
    }
    const current = { ...result };
    // A question waits until the client sends `tasks/result`, on which it can be asked.
    if (own?.task?.isAsking && result['status'] === 'working') current['status'] = 'input_required';
    if (result['status'] === 'failed' && own === undefined && mayHaveAsked(upstream, context)) {
      const failure = await used.work(send('tasks/result')).catch(() => ({}));
      const statusMessage = noteQuestion(upstream, failure, context);
      Object.assign(current, statusMessage !== undefined && { statusMessage });
    }
    const shown = shownTask(options, upstream, current, context.caller);
    // The answer to an update or a cancellation may come without the task.
    return method === 'tasks/get' || 'taskId' in result ? { ...shown, taskId: params['taskId'] } : shown;
  };
  const list = (params: Fields, context: CallContext) => listed(options, answer('tasks/get'), params, context);
  return { ...Object.fromEntries(methods.map((method) => [method, answer(method)])), 'tasks/list': list };
}

/** One page of the principal's tasks, each with its current state at the server. 2026-07-28 has no such list. */
async function listed(
  options: PassedTasksOptions,
  get: (params: Fields, context: CallContext) => Promise<Fields>,
  { cursor }: Fields,
  context: CallContext,
): Promise<Fields> {
  if (context.caller.era === 'modern') throw new RpcError(methodNotFound, 'Method not found');
  const { listed: known } = options.relay.tasks;
  const subject = context.caller.auth?.subject;
  const ids = known.of(subject).filter((id) => findTask(options, id, context.caller) !== undefined);
  const from = cursor === undefined ? 0 : ids.findIndex((id) => id === cursor) + 1;
  if (cursor !== undefined && from === 0)
    throw new LiveError('INVALID_PARAMS', 'This cursor is not valid: list again.');
  const page = ids.slice(from, from + pageSize);
  const tasks = await Promise.all(
    page.map((taskId) =>
      get({ taskId }, context).catch((error: unknown) => {
        // The task has expired at its server, or its session has ended.
        if (error instanceof ProtocolError || error instanceof NoSuchTask) known.delete(taskId, subject);
        return undefined;
      }),
    ),
  );
  const last = from + pageSize < ids.length ? page.at(-1) : undefined;
  return { tasks: tasks.filter((task) => task !== undefined), ...(last !== undefined && { nextCursor: last }) };
}

/**
 * Undefined if the task belongs to another principal, or to a server or tool that this principal may not use any more.
 */
export function findTask(
  { upstreams, relay, permissionsOf }: PassedTasksOptions,
  id: unknown,
  caller: Caller,
): FoundTask | undefined {
  if (isNode(caller)) {
    // A node sends requests about one server, with that server's task ids.
    const [upstream] = upstreams();
    return upstream !== undefined && typeof id === 'string' ? { upstream, taskId: id, session: undefined } : undefined;
  }
  const task = relay.tasks.ids.read(id, caller.auth?.subject);
  if (task === undefined) return undefined;
  const upstream = [...upstreams()].find(({ id: serverId }) => serverId === task.serverId);
  // Whether the tool only reads was checked when it was called.
  const isOpen = upstream !== undefined && permissionsOf(caller).mayCall(upstream.id, task.tool, true);
  return isOpen ? { upstream, taskId: task.taskId, session: task.session } : undefined;
}

/** Throws for a modern client that does not declare the extension; a 2025-era client asks for tasks call by call. */
function assertTakesTasks({ caller, client }: CallContext): void {
  if (caller.era === 'legacy' || client.capabilities.extensions?.[tasksExtension] !== undefined) return;
  const message = `This request needs a client that declares the extension ${tasksExtension}.`;
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  throw new RpcError(ProtocolErrorCode.MissingRequiredClientCapability, message, { requiredCapabilities });
}

class NoSuchTask extends LiveError {
  constructor() {
    const message =
      'There is no such task here: it is not yours, the session in which it was made has ended, or the hub was restarted.';
    super('INVALID_PARAMS', message);
  }
}

/** The caller's own session that a task is in; undefined if it is in the shared one. */
function ownSession({ relay }: PassedTasksOptions, { session, taskId }: FoundTask): TaskSession | undefined {
  if (session === undefined) return undefined;
  const own = relay.sessionOf(session, taskId);
  if (own === undefined) throw new NoSuchTask();
  return own;
}

/** Sends questions to the client on its `tasks/result` request. */
function putTo({ mcpReq }: CallContext, { taskId, asker }: { taskId: string; asker: string | undefined }): PutQuestion {
  return (question, signal) => {
    const shown = asker === undefined ? question : namedAfter(question, asker);
    const _meta = { ...shown.params?._meta, [RELATED_TASK_META_KEY]: { taskId } };
    const request = { method: shown.method, params: { ...shown.params, _meta } };
    return mcpReq.send(request, anything, { timeout: legacyPatienceMs, signal });
  };
}

/** Whether a task of this client may have failed because its server could not ask. */
function mayHaveAsked({ sendsRequests }: Upstream, { caller, client: { capabilities } }: CallContext): boolean {
  const { elicitation, sampling, roots } = capabilities;
  return caller.era === 'legacy' && !sendsRequests && (elicitation ?? sampling ?? roots) !== undefined;
}

/**
 * Notes that the server asks, if a task on the shared session failed because it could not. Returns a message for a
 * client that supports the question.
 */
function noteQuestion(upstream: Upstream, result: Fields, { client }: CallContext): string | undefined {
  const { isError, content = [] } = failureSchema.safeParse(result).data ?? {};
  const wanted = isError === true ? wantedIn(content.map(({ text = '' }) => text).join('\n')) : undefined;
  if (wanted === undefined || !offers(client.capabilities, wanted)) return undefined;
  upstream.noteClientRequest();
  return couldNotAsk(upstream, wanted);
}

/** The `_meta` with which a result of the 2025 era names its task, with the hub's id. */
function aboutTask({ _meta }: Fields, taskId: unknown): Fields {
  const meta = anything.safeParse(_meta).data ?? {};
  return RELATED_TASK_META_KEY in meta ? { _meta: { ...meta, [RELATED_TASK_META_KEY]: { taskId } } } : {};
}

/** The task as the caller may see it: questions name the server, and resources have the gateway's URIs. */
export function shownTask(options: PassedTasksOptions, upstream: Upstream, task: Fields, caller: Caller): Fields {
  const { result, inputRequests } = task;
  const inputRequired: unknown = { resultType: 'input_required', inputRequests };
  const isNamed = options.namesAsker && isInputRequiredResult(inputRequired) && inputRequests !== undefined;
  return {
    ...task,
    ...(isNamed && { inputRequests: withAsker(inputRequired, upstream.id).inputRequests }),
    ...(result !== undefined && { result: named(options, upstream, result, caller) }),
  };
}

/** The result of the tool, with the gateway's URIs of resources. */
function named(options: PassedTasksOptions, upstream: Upstream, result: unknown, caller: Caller): Fields {
  const parsed = specTypeSchemas.CallToolResult['~standard'].validate(result);
  if (parsed.issues !== undefined) throw new LiveError('UNAVAILABLE', 'The task has a result that cannot be read.');
  const uriOf = (uri: string) => options.uriOf(upstream, uri, caller);
  return { ...parsed.value, content: parsed.value.content.flatMap((block) => namedContent(block, uriOf) ?? []) };
}
