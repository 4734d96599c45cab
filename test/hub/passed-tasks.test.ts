// Tasks of a modern server through the hub, managed by a modern client.
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post, rpcRequest } from '../support/wire/raw-http.ts';
import { adasToken, gracesToken, jobsHub, linusToken } from './jobs-hub.ts';
import type { RunningHub } from './running-hub.ts';

const extension = 'io.modelcontextprotocol/tasks';

let hub: RunningHub;
beforeAll(async () => {
  hub = await jobsHub('task-server-2.js');
});
afterAll(() => hub[Symbol.asyncDispose]());

interface Asked {
  path?: string;
  token?: string;
}

async function ask(
  method: string,
  params: Record<string, unknown>,
  { path = '/mcp/jobs', token = adasToken }: Asked = {},
) {
  const { headers, body } = rpcRequest('modern', method, params);
  const capabilities = { elicitation: { form: {} }, extensions: { [extension]: {} } };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name = params['taskId'];
  const more = { Authorization: `Bearer ${token}`, ...(typeof name === 'string' && { 'mcp-name': name }) };
  const { message } = await post(
    `${hub.url}${path}`,
    { ...body, params: { ...params, _meta } },
    { ...headers, ...more },
  );
  return message;
}

async function begin(tool: string, asked?: Asked): Promise<string> {
  const { result } = await ask('tools/call', { name: tool, arguments: {} }, asked);
  expect(result).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 100 });
  return String(result?.['taskId']);
}

it('the tasks extension is advertised if one of the servers has it', async () => {
  const { result } = await ask('server/discover', {});
  expect(result).toMatchObject({ capabilities: { extensions: { [extension]: {} } } });
});

it.each(['/mcp/jobs', '/mcp'])('passes on status and result at %s, under a task id of the hub', async (path) => {
  const taskId = await begin(path === '/mcp' ? 'jobs_long' : 'long', { path });
  expect(taskId).not.toMatch(/^t\d+$/);
  const done = await eventually('the result', async () => {
    const { result } = await ask('tasks/get', { taskId }, { path });
    expect(result?.['taskId']).toBe(taskId);
    return result?.['status'] === 'completed' ? result : undefined;
  });
  expect(done).toMatchObject({ resultType: 'complete', result: { content: [{ text: 'It took a while.' }] } });
});

it('passes on responses to questions of a task', async () => {
  const taskId = await begin('asking');
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({
    status: 'input_required',
    inputRequests: { name: {} },
  });
  const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
  expect((await ask('tasks/update', { taskId, inputResponses })).result).toMatchObject({ resultType: 'complete' });
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({ result: { content: [{ text: 'Hello Ada' }] } });
});

it('cancels a task', async () => {
  const taskId = await begin('endless');
  expect((await ask('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'cancelled' });
});

it("refuses a task to other principals, and under the server's own task id", async () => {
  const taskId = await begin('endless');
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    for (const [id, token] of [
      [taskId, gracesToken],
      ['t1', adasToken],
    ] as const) {
      const { error } = await ask(method, { taskId: id }, { token });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('There is no such task here') });
    }
  }
  expect((await ask('tasks/get', { taskId })).result).toMatchObject({ status: 'working' });
});

describe('a task of a server that violates the protocol', () => {
  const asked = { path: '/mcp', token: linusToken };

  it('has both a question and a result: the question names its server, and the result only permitted resources', async () => {
    const taskId = await begin('jobs_asking-done', asked);
    const { result } = await ask('tasks/get', { taskId }, asked);
    expect(result).toMatchObject({
      taskId,
      inputRequests: { name: { params: { message: 'The server "jobs" asks: Who?' } } },
      result: { content: [{ uri: 'job://public/a' }] },
    });
    expect(JSON.stringify(result)).not.toContain('job://private');
  });

  it('has an invalid question: valid ones still name their server', async () => {
    const taskId = await begin('jobs_asking-badly', asked);
    const { result } = await ask('tasks/get', { taskId }, asked);
    expect(result).toMatchObject({ inputRequests: { name: { params: { message: 'The server "jobs" asks: Who?' } } } });
  });

  it('is described without an id: its result is treated as usual', async () => {
    const taskId = await begin('jobs_nameless', asked);
    const { result } = await ask('tasks/get', { taskId }, asked);
    expect(result).toMatchObject({ taskId, result: { content: [{ uri: 'job://public/a' }] } });
    expect(JSON.stringify(result)).not.toContain('job://private');
  });
});
