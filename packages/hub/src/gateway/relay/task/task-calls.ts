// Calls of tools for which servers create a task. The hub awaits the task for the caller, who gets the result as of any
// call: most clients do not support tasks, and those of the two eras differ. A caller that takes tasks gets those of
// servers of its own era, to manage itself (`passed-tasks.ts`). Meanwhile the caller gets the task's progress, and a
// caller who cancels the call cancels the task.
//
//   2025-11-25   a tool that requires it is called as a task; tasks/get until it is done or asks; tasks/result
//   2026-07-28   the server decides; tasks/get until it is done; its questions go to the caller, and the answers
//                back in tasks/update
import { isDeepStrictEqual } from 'node:util';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type Client,
  type InputRequiredResult,
  ProtocolError,
  type RequestOptions,
  isInputRequiredResult,
  specTypeSchemas,
} from '@modelcontextprotocol/client';
import { type CallContext, type Caller, type CallingClient, type Clock, LiveError } from '@tidings/live';
import { delay } from '@tidings/live/time';
import type { Upstream } from '@tidings/track';
import { type TaskFields, tasksExtension } from '@tidings/track/internal';
import { z } from 'zod';
import { isNode } from '../../../access/node-principal.ts';
import type { KeepTask } from '../own-task.ts';
import { ListedTasks } from './listed-tasks.ts';
import type { RelayedParams } from '../relayed-request.ts';
import {
  type LegacyTask,
  type ModernTask,
  legacyAnswerSchema,
  legacyTaskSchema,
  modernTaskSchema,
  pauseFor,
  taskIn,
} from './task.ts';
import { TaskIds } from './task-ids.ts';
import { TaskStates } from './task-states.ts';

interface TaskCall {
  server: Pick<Upstream, 'id' | 'watchTasks'>;
  /** The tool as listed by its server. */
  tool: { name: string; execution?: { taskSupport?: string | undefined } | undefined };
  args: Record<string, unknown>;
  caller: Pick<Caller, 'auth' | 'era'>;
  /** Sends a notification to the client; undefined in the modern era, where clients listen to tasks. */
  notify: CallingClient['notify'];
  client: Client;
  params: RelayedParams;
  options: RequestOptions;
  /** Whether the caller manages tasks itself, in the way of its era. */
  takesTasks: boolean;
  /** The task that a 2025-era caller asks for. */
  task?: CallContext['task'];
  /** Keeps the caller's own session for the task, if the call is made on one. */
  keepTask?: KeepTask | undefined;
  /** Makes the call, with these additions. */
  send(this: void, params: RelayedParams): Promise<CallToolResult>;
}

/** How long the hub waits for a task. */
const longestTaskMs = 60 * 60_000;
const answerMs = 60_000;
const anything = z.looseObject({});

export class TaskCalls {
  /** The ids of tasks that callers manage themselves. */
  readonly ids: TaskIds;
  readonly listed = new ListedTasks();
  readonly #clock: Clock;
  readonly #states: TaskStates;
  readonly #patienceMs: (era: Caller['era']) => number;

  /** `key` signs the ids. `patienceMs`: how long a caller of this era may take to answer. */
  constructor(clock: Clock, key: Buffer, patienceMs: (era: Caller['era']) => number) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.ids = new TaskIds(key);
    this.#states = new TaskStates(clock);
  }

  async call(call: TaskCall): Promise<CallToolResult | InputRequiredResult> {
    const { client, params } = call;
    if (client.getProtocolEra() !== 'modern') return this.#legacy(call);
    const declared = client.getServerCapabilities()?.extensions?.[tasksExtension] ? withTasks(params) : params;
    const taskId = this.#states.take(params.requestState, this.#askedBy(call));
    if (taskId === undefined) {
      const result = await call.send(declared);
      const task = taskIn(result);
      if (task === undefined) return result;
      // The task that a 2025-era client asks for has another form.
      if (call.takesTasks && call.caller.era === 'modern') {
        return { content: [], ...this.#named(call, task), resultType: 'task' };
      }
      return this.#modern(call, declared, task);
    }
    const { inputResponses, _meta } = declared;
    const update = { method: 'tasks/update', params: { taskId, inputResponses: inputResponses ?? {}, _meta } };
    await client.request(update, anything, { timeout: answerMs });
    return this.#modern(call, declared, await this.#get(client, taskId, _meta));
  }

  close(): void {
    this.#states.close();
  }

  async #modern(
    call: TaskCall,
    { _meta }: RelayedParams,
    made: ModernTask,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { client } = call;
    const { taskId } = made;
    const cancel = () => this.#cancel(client, taskId, _meta);
    // The answer to the call contains neither result nor questions.
    const first = made.status === 'working' ? made : await this.#get(client, taskId, _meta);
    const task = await this.#pollTask(
      call,
      first,
      cancel,
      () => this.#get(client, taskId, _meta),
      ({ pollIntervalMs }) => pollIntervalMs,
    );
    if (task.status === 'input_required') {
      const questions = questionsOf(task);
      // If the answer was given to another node, the task has other questions by now and is not cancelled.
      const giveUp = async () => {
        const now = await this.#get(client, taskId, _meta);
        if (isDeepStrictEqual(now.inputRequests, task.inputRequests)) cancel();
      };
      const expired = () => void giveUp().catch(() => undefined);
      const { era } = call.caller;
      // A modern caller has no open request while it is asked.
      const left = era === 'legacy' ? call.options.signal : undefined;
      const patience = { patienceMs: this.#patienceMs(era), left, expired };
      return { ...questions, requestState: this.#states.add({ ...this.#askedBy(call), taskId }, patience) };
    }
    if (task.error) throw ProtocolError.fromError(task.error.code, task.error.message, task.error.data);
    return parsedResult(task.result);
  }

  /** The task with the hub's id. Another node has ids for its own callers. */
  #named<Task extends ModernTask | LegacyTask>(call: TaskCall, task: Task): Task {
    const { server, tool, caller, keepTask } = call;
    if (isNode(caller)) return task;
    const ttl = 'ttl' in task && typeof task.ttl === 'number' ? task.ttl : longestTaskMs;
    const own = keepTask?.(task.taskId, Math.min(ttl, longestTaskMs));
    const passed = { serverId: server.id, tool: tool.name, taskId: task.taskId, session: own?.id };
    const taskId = this.ids.write(passed, caller.auth?.subject);
    const stop = this.#passStatus(call.notify, own ?? server, task.taskId, taskId);
    this.listed.add(taskId, caller.auth?.subject, stop);
    return { ...task, taskId };
  }

  /** Passes status notifications of the task on to a 2025-era client. Returns a function that stops this. */
  #passStatus(
    notify: TaskCall['notify'],
    server: Pick<Upstream, 'watchTasks'>,
    taskId: string,
    hubId: string,
  ): () => void {
    if (notify === undefined) return () => undefined;
    const notified = (task: TaskFields) => {
      const params = { ...task, taskId: hubId };
      // A send fails if the client has left.
      notify({ method: 'notifications/tasks/status', params }).catch(stop);
      if (task['status'] !== 'working' && task['status'] !== 'input_required') stop();
    };
    const watching = server.watchTasks([taskId], { notified, lost: () => undefined });
    const stop = () => void watching.then((watch) => watch.end()).catch(() => undefined);
    watching.catch(() => undefined);
    return stop;
  }

  #get(client: Client, taskId: string, _meta: RelayedParams['_meta']): Promise<ModernTask> {
    return client.request({ method: 'tasks/get', params: { taskId, _meta } }, modernTaskSchema, { timeout: answerMs });
  }

  async #legacy(call: TaskCall): Promise<CallToolResult> {
    const { client, tool, args, params, options, takesTasks, task: taskOptions } = call;
    const { taskSupport } = tool.execution ?? {};
    const isWanted = takesTasks && taskOptions !== undefined && taskSupport === 'optional';
    if (taskSupport !== 'required' && !isWanted) return call.send(params);
    const task = { ...(taskOptions?.ttl !== undefined && { ttl: taskOptions.ttl }) };
    const request = { method: 'tools/call', params: { name: tool.name, arguments: args, ...params, task } };
    const answer = await client.request(request, legacyAnswerSchema, options);
    if (answer.task === undefined) return parsedResult(answer);
    if (takesTasks && taskOptions !== undefined) return { content: [], task: this.#named(call, answer.task) };
    const { taskId } = answer.task;
    const get = (): Promise<LegacyTask> =>
      client.request({ method: 'tasks/get', params: { taskId } }, legacyTaskSchema, { timeout: answerMs });
    const cancel = () => this.#cancel(client, taskId);
    await this.#pollTask(call, answer.task, cancel, get, ({ pollInterval }) => pollInterval);
    // The server asks for a task while `tasks/result` waits.
    const { onprogress: _, ...rest } = options;
    return client.request({ method: 'tasks/result', params: { taskId } }, specTypeSchemas.CallToolResult, rest);
  }

  /** Polls the task until it is done or asks for something. */
  async #pollTask<Task extends ModernTask | LegacyTask>(
    { server: { id: serverId }, options }: TaskCall,
    made: Task,
    cancel: () => void,
    get: () => Promise<Task>,
    intervalOf: (task: Task) => number | undefined,
  ): Promise<Task> {
    const { signal, onprogress } = options;
    const endsAt = this.#clock.now() + longestTaskMs;
    let task = made;
    for (let looks = 1; task.status === 'working'; looks += 1) {
      await delay(this.#clock, pauseFor(intervalOf(task)), signal);
      const isLate = this.#clock.now() >= endsAt;
      if (signal?.aborted || isLate) cancel();
      signal?.throwIfAborted();
      if (isLate)
        throw new LiveError(
          'UNAVAILABLE',
          `The task of this call took longer than an hour, and was cancelled at the server "${serverId}".`,
        );
      task = await get();
      const message = task.statusMessage;
      onprogress?.({ progress: looks, ...(message !== undefined && { message }) });
    }
    if (task.status === 'cancelled')
      throw new LiveError('UNAVAILABLE', `The server "${serverId}" has cancelled the task of this call.`);
    return task;
  }

  /** The hub stops waiting for the task, even if the server does not get the cancellation. */
  #cancel(client: Client, taskId: string, _meta?: RelayedParams['_meta']): void {
    const params = { taskId, ...(_meta && { _meta }) };
    void client.request({ method: 'tasks/cancel', params }, anything, { timeout: answerMs }).catch(() => undefined);
  }

  #askedBy({ server, tool, caller }: TaskCall) {
    return { serverId: server.id, tool: tool.name, subject: caller.auth?.subject };
  }
}

/** Declares the tasks extension in the params of a request. */
export function withTasks(params: RelayedParams): RelayedParams {
  const capabilities =
    z.looseObject({ extensions: anything.optional() }).safeParse(params._meta?.[CLIENT_CAPABILITIES_META_KEY]).data ??
    {};
  const extensions = { ...capabilities.extensions, [tasksExtension]: {} };
  return { ...params, _meta: { ...params._meta, [CLIENT_CAPABILITIES_META_KEY]: { ...capabilities, extensions } } };
}

/** The questions are validated where they are sent to the client, like those of any server. */
function questionsOf({ inputRequests }: ModernTask): InputRequiredResult {
  const inputRequired: unknown = { resultType: 'input_required', inputRequests };
  if (isInputRequiredResult(inputRequired) && inputRequests !== undefined) return inputRequired;
  throw new LiveError('UNAVAILABLE', 'The task of this call needs an answer and does not say to which question.');
}

function parsedResult(result: unknown): CallToolResult {
  const parsed = specTypeSchemas.CallToolResult['~standard'].validate(result);
  if (parsed.issues === undefined) return parsed.value;
  throw new LiveError('UNAVAILABLE', 'The task of this call has a result that cannot be read.');
}
