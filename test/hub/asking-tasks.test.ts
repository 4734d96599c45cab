// Tasks of a 2025-11-25 server that ask questions, managed by a 2025-11-25 client; both use the 1.x SDK.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '@tidings/live/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AskingClient } from './asking-client.ts';
import { adasToken, jobsHub } from './jobs-hub.ts';
import type { RunningHub } from './running-hub.ts';

const related = 'io.modelcontextprotocol/related-task';
let hub: RunningHub;
beforeEach(async () => {
  hub = await jobsHub('task-server-1.js');
});
afterEach(() => hub[Symbol.asyncDispose]());

async function connect(name: string, { path = '/mcp/jobs', answers = true, canBeAsked = true } = {}) {
  const client = new Client({ name, version: '1.0.0' }, { capabilities: canBeAsked ? { elicitation: {} } : {} });
  const asked: { message: string; taskId: unknown }[] = [];
  if (canBeAsked) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push({ message: params.message, taskId: params._meta?.[related]?.taskId });
      return answers ? { action: 'accept', content: { name } } : new Promise(() => undefined);
    });
  }
  const requestInit = { headers: { Authorization: `Bearer ${adasToken}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${hub.url}${path}`), { requestInit });
  await client.connect(transport);
  await client.listTools();
  const { tasks } = client.experimental;
  /** The states of the task, its id, and the text of its result. */
  const run = async (tool: string) => {
    const states: string[] = [];
    let [taskId, said] = ['', ''];
    for await (const message of tasks.callToolStream({ name: tool, arguments: {} }, CallToolResultSchema)) {
      if (message.type === 'taskCreated') ({ taskId } = message.task);
      if (message.type === 'taskStatus') {
        states.push(message.task.status);
        said = message.task.statusMessage ?? '';
      }
      if (message.type === 'result') said = JSON.stringify(message.result);
    }
    return { states, taskId, said };
  };
  const begin = async (tool: string) => {
    for await (const message of tasks.callToolStream({ name: tool, arguments: {} }, CallToolResultSchema)) {
      if (message.type === 'taskCreated') return message.task.taskId;
    }
    throw new Error('There is no task.');
  };
  const leave = async () => {
    await transport.terminateSession();
    await client.close();
  };
  return { tasks, asked, run, begin, leave, [Symbol.asyncDispose]: () => client.close() };
}

/** Lets the hub learn that the server asks questions. */
async function show(): Promise<void> {
  await using client = await connect('first');
  const { said } = await client.run('asking');
  expect(said).toContain("From now on the server's questions reach you");
}

describe('a task with a question', () => {
  it('fails with a hint if its server was not known to ask, and succeeds from then on', async () => {
    await show();
    await using client = await connect('Ada');
    const { taskId, said, states } = await client.run('asking');
    expect(states).toContain('input_required');
    expect(said).toContain('Hello Ada');
    expect(client.asked).toEqual([{ message: 'Who?', taskId }]);
  });

  it("asks under the hub's task id, and names its server at the common address", async () => {
    await show();
    await using client = await connect('Ada', { path: '/mcp' });
    const { taskId, said } = await client.run('jobs_asking');
    expect(said).toContain('Hello Ada');
    expect(client.asked).toEqual([{ message: 'The server "jobs" asks: Who?', taskId }]);
  });

  it('waits until the client requests its result, also if the server does not name the task', async () => {
    await show();
    await using client = await connect('Ada');
    const taskId = await client.begin('asking-openly');
    await eventually('a question', async () => (await client.tasks.getTask(taskId)).status === 'input_required');
    expect(client.asked).toEqual([]);
    const result = await client.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(JSON.stringify(result)).toContain('Hello Ada');
    expect(client.asked).toEqual([{ message: 'Who?', taskId }]);
  });

  it('never asks another client that has tasks with questions', async () => {
    await show();
    await using ada = await connect('Ada');
    await using grace = await connect('Grace');
    const both = await Promise.all([1, 2, 3].flatMap(() => [ada.run('asking'), grace.run('asking')]));
    expect(both.map(({ said }) => /Hello \w+/.exec(said)?.[0])).toEqual(
      [1, 2, 3].flatMap(() => ['Hello Ada', 'Hello Grace']),
    );
    expect(new Set(ada.asked.map(({ taskId }) => taskId)).size).toBe(3);
  });

  it('asks again on the next request if the client left the first one', async () => {
    await show();
    await using client = await connect('Ada', { answers: false });
    const taskId = await client.begin('asking');
    const leaving = new AbortController();
    const waiting = client.tasks.getTaskResult(taskId, CallToolResultSchema, { signal: leaving.signal });
    await eventually('the question', () => client.asked.length === 1);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    // It fails as soon as the task is cancelled, which may be before the response to the cancellation.
    const again = client.tasks.getTaskResult(taskId, CallToolResultSchema).catch(() => undefined);
    await eventually('the question again', () => client.asked.length === 2);
    await client.tasks.cancelTask(taskId);
    await again;
  });

  it('is freed when its client leaves', async () => {
    await show();
    const client = await connect('Ada', { answers: false });
    const taskId = await client.begin('asking');
    const waiting = client.tasks.getTaskResult(taskId, CallToolResultSchema).catch(() => undefined);
    await eventually('the question', () => client.asked.length === 1);
    await client.leave();
    await waiting;
    await using later = await connect('Ada');
    await expect(later.tasks.getTask(taskId)).rejects.toThrow('the session in which it was made has ended');
    const { tasks: listed } = await later.tasks.listTasks();
    expect(listed.map((task) => task.taskId)).not.toContain(taskId);
  });

  it.each(['modern', 'legacy'] as const)('asks a %s client without tasks within the call', async (era) => {
    await show();
    await using client = await AskingClient.connect(`${hub.url}/mcp/jobs`, era, { token: adasToken });
    expect(await client.call('asking')).toBe('Hello Ada');
    expect(client.asked).toEqual(['Who?']);
  });

  it("fails with its server's message if the client cannot be asked", async () => {
    await using client = await connect('Ada', { canBeAsked: false });
    const { taskId, states } = await client.run('asking');
    expect(states).toContain('failed');
    const result = await client.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(JSON.stringify(result)).toContain('Client does not support');
  });
});

it('a task requested from a modern server by a legacy client is awaited, because the eras have different tasks', async () => {
  await using modern = await jobsHub('task-server-2.js');
  const client = new Client({ name: 'Ada', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${adasToken}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${modern.url}/mcp/jobs`), { requestInit }));
  const params = { name: 'long', arguments: {}, task: { ttl: 60_000 } };
  const result = await client.request({ method: 'tools/call', params }, CallToolResultSchema);
  expect(result.content).toMatchObject([{ text: 'It took a while.' }]);
  await client.close();
});
