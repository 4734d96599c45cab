// Tasks of a 2025-11-25 server through the hub, managed by a 2025-11-25 client; both use the 1.x SDK.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, TaskStatusNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adasToken, gracesToken, jobsHub } from './jobs-hub.ts';
import type { RunningHub } from './running-hub.ts';

let hub: RunningHub;
beforeAll(async () => {
  hub = await jobsHub('task-server-1.js');
});
afterAll(() => hub[Symbol.asyncDispose]());

async function connect(token = adasToken) {
  const client = new Client({ name: 'old', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const told: { taskId: string; status: string }[] = [];
  client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void told.push(params));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp/jobs`), { requestInit }));
  await client.listTools();
  const { tasks } = client.experimental;
  const begin = async (name: string) => {
    for await (const message of tasks.callToolStream({ name, arguments: {} }, CallToolResultSchema)) {
      if (message.type === 'taskCreated') return message.task.taskId;
    }
    throw new Error('There is no task.');
  };
  const call = (name: string) => client.callTool({ name, arguments: {} });
  return { tasks, begin, call, told, [Symbol.asyncDispose]: () => client.close() };
}

it('passes on status and result of a task', async () => {
  await using client = await connect();
  const kinds: string[] = [];
  let said = '';
  for await (const message of client.tasks.callToolStream({ name: 'long', arguments: {} }, CallToolResultSchema)) {
    kinds.push(message.type);
    if (message.type === 'result') said = JSON.stringify(message.result);
  }
  expect(new Set(kinds)).toEqual(new Set(['taskCreated', 'taskStatus', 'result']));
  expect(said).toContain('It took a while.');
});

it("passes on status notifications under the hub's task id, to the client of the call", async () => {
  await using client = await connect();
  await using other = await connect();
  const ids: string[] = [];
  // Notifications before the client has opened its stream are lost.
  await eventually('a notification', async () => {
    ids.push(await client.begin('held'));
    await client.call('finish');
    return client.told.length > 0;
  });
  for (const { taskId, status } of client.told) expect([ids.includes(taskId), status]).toEqual([true, 'completed']);
  expect(other.told).toEqual([]);
});

it('cancels a task for the principal of its call only', async () => {
  await using client = await connect();
  await using other = await connect(gracesToken);
  const taskId = await client.begin('endless');
  await expect(other.tasks.getTask(taskId)).rejects.toThrow('There is no such task here');
  await expect(other.tasks.cancelTask(taskId)).rejects.toThrow('There is no such task here');
  await expect(other.tasks.getTaskResult(taskId, CallToolResultSchema)).rejects.toThrow('There is no such task here');
  expect(await client.tasks.getTask(taskId)).toMatchObject({ taskId, status: 'working' });
  await client.tasks.cancelTask(taskId);
  expect(await client.tasks.getTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
});

it('lists only tasks of the requesting principal', async () => {
  await using client = await connect();
  await using other = await connect(gracesToken);
  const ids = [await client.begin('endless'), await client.begin('endless')];
  const { tasks } = await client.tasks.listTasks();
  expect(tasks.filter(({ taskId }) => ids.includes(taskId))).toMatchObject([
    { taskId: ids[0], status: 'working' },
    { taskId: ids[1], status: 'working' },
  ]);
  expect((await other.tasks.listTasks()).tasks).toEqual([]);
});
