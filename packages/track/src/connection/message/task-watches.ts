// Status notifications about tasks. A 2025-era server sends them on the session without being asked; a modern one on a
// listen request that names the tasks. The SDK's client does not support such a listen request, so it is sent and
// handled here.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Client,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '@tidings/live';
import { asError } from '@tidings/live/portable';
import { withTimeout } from '@tidings/live/time';
import { version } from '@tidings/live/version';
import { z } from 'zod';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** A task as its server describes it. */
export type TaskFields = Record<string, unknown> & { taskId: string };

export interface TaskWatcher {
  notified(task: TaskFields): void;
  /** The server sends no more notifications about these tasks. */
  lost(): void;
}

export interface TaskWatch {
  /** The tasks that the server acknowledged. */
  readonly taskIds: readonly string[];
  end(): void;
}

interface Listen {
  watcher: TaskWatcher;
  acknowledged(taskIds: readonly string[]): void;
  failed(error: Error): void;
}

const answerMs = 30_000;
const idSchema = z.object({ [SUBSCRIPTION_ID_META_KEY]: z.string() });
const taskSchema = z.looseObject({ taskId: z.string().max(1024), _meta: idSchema });
const acknowledgedSchema = z.object({
  notifications: z.object({ taskIds: z.array(z.string()).optional() }),
  _meta: idSchema,
});
const plainTaskSchema = z.looseObject({ taskId: z.string().max(1024) });

export class TaskWatches {
  readonly #clock: Clock;
  readonly #client: Client;
  readonly #transport: Transport;
  /** Watches in the era of 2026-07-28, by the ids of their listen requests. */
  readonly #listens = new Map<string, Listen>();
  /** Watchers in the 2025 era, by task id. */
  readonly #watchers = new Map<string, Set<TaskWatcher>>();
  #lastId = 0;

  constructor(client: Client, transport: Transport, clock: Clock) {
    this.#client = client;
    this.#transport = transport;
    this.#clock = clock;
  }

  watch(taskIds: readonly string[], watcher: TaskWatcher): Promise<TaskWatch> {
    return this.#client.getProtocolEra() === 'modern'
      ? this.#listen(taskIds, watcher)
      : this.#watchNotifications(taskIds, watcher);
  }

  /** Takes a notification of a 2025-era server. */
  changed(params: unknown): void {
    const task = plainTaskSchema.safeParse(params).data;
    if (task) for (const watcher of this.#watchers.get(task.taskId) ?? []) watcher.notified(task);
  }

  /** Takes a message that belongs to one of these listen requests; returns whether it did. */
  takes(message: JSONRPCMessage): boolean {
    if (this.#listens.size === 0) return false;
    if (!('method' in message)) {
      const listen = this.#listens.get(String(message.id));
      if (listen === undefined) return false;
      this.#end(
        String(message.id),
        'error' in message ? protocolErrorOf(message.error) : new Error('The server ended it.'),
      );
      return true;
    }
    if (message.method === 'notifications/subscriptions/acknowledged') {
      const { notifications, _meta } = acknowledgedSchema.safeParse(message.params).data ?? {};
      const listen = this.#listens.get(_meta?.[SUBSCRIPTION_ID_META_KEY] ?? '');
      listen?.acknowledged(notifications?.taskIds ?? []);
      return listen !== undefined;
    }
    if (message.method !== 'notifications/tasks') return false;
    const params = taskSchema.safeParse(message.params).data;
    if (params === undefined) return false;
    const { _meta, ...task } = params;
    const listen = this.#listens.get(_meta[SUBSCRIPTION_ID_META_KEY]);
    listen?.watcher.notified(task);
    return listen !== undefined;
  }

  /** Ends all watches, since the session has ended. */
  close(): void {
    for (const id of this.#listens.keys()) this.#end(id, new Error('The session has ended.'));
    const ended = [...this.#watchers.values()];
    this.#watchers.clear();
    for (const watchers of ended) for (const watcher of watchers) watcher.lost();
  }

  async #watchNotifications(taskIds: readonly string[], watcher: TaskWatcher): Promise<TaskWatch> {
    for (const id of taskIds) this.#watchers.set(id, (this.#watchers.get(id) ?? new Set()).add(watcher));
    const end = () => {
      for (const id of taskIds) {
        const watchers = this.#watchers.get(id);
        watchers?.delete(watcher);
        if (watchers?.size === 0) this.#watchers.delete(id);
      }
    };
    return { taskIds, end };
  }

  async #listen(taskIds: readonly string[], watcher: TaskWatcher): Promise<TaskWatch> {
    this.#lastId += 1;
    const id = `tasks:${this.#lastId}`;
    const leaving = new AbortController();
    const acknowledged = new Promise<readonly string[]>((resolve, reject) => {
      const honored = (ids: readonly string[]) => resolve(ids.filter((each) => taskIds.includes(each)));
      this.#listens.set(id, { watcher, acknowledged: honored, failed: reject });
      const ended = () => this.#end(id, new Error('The stream of the server has ended.'));
      this.#transport
        .send(this.#request(id, taskIds), { requestSignal: leaving.signal, onRequestStreamEnd: ended })
        .catch((error: unknown) => this.#end(id, asError(error)));
    });
    const late = () => {
      const error = new Error('The server does not answer.');
      this.#end(id, error);
      return error;
    };
    const honored = await withTimeout(this.#clock, answerMs, acknowledged, late);
    const end = () => {
      if (!this.#listens.delete(id)) return;
      leaving.abort();
      const cancelled = { method: 'notifications/cancelled', params: { requestId: id } };
      // The watch has ended, even if the cancellation does not reach the server.
      this.#client.notification(cancelled).catch(() => undefined);
    };
    return { taskIds: honored, end };
  }

  #end(id: string, reason: Error): void {
    const listen = this.#listens.get(id);
    if (listen === undefined) return;
    this.#listens.delete(id);
    listen.failed(reason);
    listen.watcher.lost();
  }

  #request(id: string, taskIds: readonly string[]): JSONRPCMessage {
    const _meta = {
      [PROTOCOL_VERSION_META_KEY]: this.#client.getNegotiatedProtocolVersion(),
      [CLIENT_CAPABILITIES_META_KEY]: { extensions: { [tasksExtension]: {} } },
      [CLIENT_INFO_META_KEY]: { name: 'tidings', version },
    };
    return { jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications: { taskIds }, _meta } };
  }
}

function protocolErrorOf({ code, message, data }: { code: number; message: string; data?: unknown }): ProtocolError {
  return ProtocolError.fromError(code, message, data);
}
