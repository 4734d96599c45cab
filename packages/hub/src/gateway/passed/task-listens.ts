// Status notifications about tasks that modern clients manage themselves: handles `taskIds` of a listen request, and
// watches the tasks at their servers.
import { RpcError, type Caller, type ListenExtension } from '@tidings/live';
import type { Upstream } from '@tidings/track';
import { type TaskWatch, tasksExtension } from '@tidings/track/internal';
import { z } from 'zod';
import { type PassedTasksOptions, findTask, shownTask } from './passed-tasks.ts';

/** Most tasks of one listen request. */
const mostTasks = 100;
const asked = z.array(z.string());
const missingCapability = -32021;
const invalidParams = -32602;

export function listenToTasks(options: PassedTasksOptions): ListenExtension {
  return async (given, { caller, capabilities }, push) => {
    const ids = idsIn(given);
    if (capabilities.extensions?.[tasksExtension] === undefined) {
      const data = { requiredCapabilities: { extensions: { [tasksExtension]: {} } } };
      throw new RpcError(missingCapability, 'Declare the tasks extension to listen to tasks.', data);
    }
    const watches: TaskWatch[] = [];
    const stop = () => {
      for (const watch of watches) watch.end();
    };
    const honored: string[] = [];
    for (const [upstream, hubIds] of byServer(options, ids, caller)) {
      const notified = (task: { taskId: string }) => {
        const taskId = hubIds.get(task.taskId);
        if (taskId === undefined) return;
        try {
          const params = { ...shownTask(options, upstream, task, caller), taskId };
          push.notify(taskId, { method: 'notifications/tasks', params });
        } catch {
          // The task's result is malformed. When the stream ends, the client requests the task and gets the reason.
          push.end();
        }
      };
      // If a server sends no task notifications, the client polls.
      const watch = await upstream
        .watchTasks([...hubIds.keys()], { notified, lost: () => push.end() })
        .catch(() => undefined);
      if (watch === undefined) continue;
      watches.push(watch);
      honored.push(...watch.taskIds.flatMap((id) => hubIds.get(id) ?? []));
    }
    if (honored.length > 0) return { honored, stop };
    stop();
    return undefined;
  };
}

function idsIn(given: unknown): ReadonlySet<string> {
  const ids = asked.safeParse(given).data;
  if (ids === undefined) throw new RpcError(invalidParams, '"taskIds" must be a list of ids.');
  if (ids.length <= mostTasks) return new Set(ids);
  throw new RpcError(invalidParams, `One listen request may name ${mostTasks} tasks: spread them over several.`);
}

/** The hub's ids by the servers' ids, for each server; leaves out tasks of other callers. */
function byServer(
  options: PassedTasksOptions,
  ids: Iterable<string>,
  caller: Caller,
): Map<Upstream, Map<string, string>> {
  const servers = new Map<Upstream, Map<string, string>>();
  for (const id of ids) {
    const found = findTask(options, id, caller);
    if (found === undefined) continue;
    const own = servers.get(found.upstream) ?? new Map<string, string>();
    servers.set(found.upstream, own.set(found.taskId, id));
  }
  return servers;
}
