// Questions of servers and their tasks, if a balancer sends each request of a modern client to another node.
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type RunningHub, runningHub } from '../hub/running-hub.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { type RpcMessage, post, rpcRequest } from '../support/wire/raw-http.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

const programs = { modern: 'asking-server-2.js', legacy: 'asking-server-1.js', jobs: 'task-server-2.js' };
const servers = Object.entries(programs).map(([id, program]) => ({
  id,
  command: process.execPath,
  args: [fileURLToPath(new URL(`../fixtures/${program}`, import.meta.url))],
  env: {},
  enabled: true,
  trackResources: false,
}));
const tokens = [{ env: 'ADA' }, { env: 'BOB' }];
const tasks = 'io.modelcontextprotocol/tasks';
const accepted = { action: 'accept', content: { name: 'Ada' } };

async function startNode(place: string, node: string): Promise<RunningHub> {
  return runningHub({ place, node, servers, config: { tokens }, env: { ADA: 'ada', BOB: 'bob' } });
}

async function ask(
  { url }: RunningHub,
  method: string,
  params: Record<string, unknown>,
  { token = 'ada', extensions = {} } = {},
): Promise<RpcMessage> {
  const { headers, body } = rpcRequest('modern', method, params);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, extensions },
  };
  const name = params['taskId'];
  const more = { authorization: `Bearer ${token}`, ...(typeof name === 'string' && { 'mcp-name': name }) };
  const answer = await post(`${url}/mcp`, { ...body, params: { ...params, _meta } }, { ...headers, ...more });
  return answer.message;
}

/** The parameters of the caller's next request. */
function answerTo({ result }: RpcMessage): Record<string, unknown> {
  expect(result).toMatchObject({ resultType: 'input_required' });
  const { requestState, inputRequests } = result ?? {};
  const questions = Object.keys(z.record(z.string(), z.unknown()).parse(inputRequests));
  const inputResponses = Object.fromEntries(questions.map((question) => [question, accepted]));
  return { inputResponses, ...(requestState !== undefined && { requestState }) };
}

/** Waits until both nodes are connected to the servers, one through the other. */
async function bothConnected(nodes: readonly RunningHub[]): Promise<void> {
  for (const { hub } of nodes) {
    for (const { id } of servers) {
      await eventually(`${id} to be connected`, () => hub.tracker.upstream(id).status().state === 'live');
    }
  }
}

describeWith(postgresNeed, 'on two nodes', () => {
  let nodes: { one: RunningHub; two: RunningHub };
  beforeAll(async () => {
    const place = await freshDatabase();
    nodes = { one: await startNode(place, 'one'), two: await startNode(place, 'two') };
    await bothConnected([nodes.one, nodes.two]);
  });
  afterAll(async () => {
    await nodes.two[Symbol.asyncDispose]();
    await nodes.one[Symbol.asyncDispose]();
  });

  it.each(['modern', 'legacy'])(
    'the question of a %s server can be answered at either node, by its caller only',
    async (server) => {
      const { one, two } = nodes;
      for (const [first, then] of [
        [one, two],
        [two, one],
        [one, one],
        [two, two],
      ] as const) {
        const call = { name: `${server}_ask_twice`, arguments: {} };
        const second = answerTo(await ask(first, 'tools/call', call));
        const third = answerTo(await ask(then, 'tools/call', { ...call, ...second }));
        const stolen = await ask(first, 'tools/call', { ...call, ...third }, { token: 'bob' });
        expect(stolen.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } });
        const { result } = await ask(first, 'tools/call', { ...call, ...third });
        expect(result).toMatchObject({ content: [{ text: 'Ada, Ada' }] });
      }
    },
  );

  it('a task can be used at either node, by its caller only', async () => {
    const { one, two } = nodes;
    for (const [first, then] of [
      [one, two],
      [two, one],
    ] as const) {
      const more = { extensions: { [tasks]: {} } };
      const { result } = await ask(first, 'tools/call', { name: 'jobs_asking', arguments: {} }, more);
      expect(result).toMatchObject({ resultType: 'task' });
      const taskId = String(result?.['taskId']);
      const stolen = await ask(then, 'tasks/get', { taskId }, { ...more, token: 'bob' });
      expect(stolen.error).toMatchObject({ message: expect.stringContaining('There is no such task here') });
      const asking = await ask(then, 'tasks/get', { taskId }, more);
      expect(asking.result).toMatchObject({ taskId, status: 'input_required', inputRequests: { name: {} } });
      await ask(then, 'tasks/update', { taskId, inputResponses: { name: accepted } }, more);
      const done = await ask(first, 'tasks/get', { taskId }, more);
      expect(done.result).toMatchObject({ taskId, result: { content: [{ text: 'Hello Ada' }] } });
    }
  });

  it('the question of a task managed by the hub can be answered at either node, by its caller only', async () => {
    const { one, two } = nodes;
    for (const [first, then] of [
      [one, two],
      [two, one],
    ] as const) {
      const call = { name: 'jobs_asking', arguments: {} };
      const answer = answerTo(await ask(first, 'tools/call', call));
      const stolen = await ask(then, 'tools/call', { ...call, ...answer }, { token: 'bob' });
      expect(stolen.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } });
      const { result } = await ask(then, 'tools/call', { ...call, ...answer });
      expect(result).toMatchObject({ content: [{ text: 'Hello Ada' }] });
    }
  });
});

describeWith(postgresNeed, 'when the node that holds a call is gone', () => {
  it('a call whose node is lost fails with an error that says to call again', async () => {
    const place = await freshDatabase();
    const [one, two] = [await startNode(place, 'one'), await startNode(place, 'two')];
    await bothConnected([one, two]);
    const [owner, other] = one.hub.tracker.owns('legacy') ? [one, two] : [two, one];
    const call = { name: 'legacy_ask_name', arguments: {} };
    const { result } = await ask(other, 'tools/call', call);
    await owner[Symbol.asyncDispose]();
    await eventually('the takeover', () => other.hub.tracker.owns('legacy'));
    await eventually('the connection', () => other.hub.tracker.upstream('legacy').status().state === 'live');
    const { error } = await ask(other, 'tools/call', { ...call, requestState: result?.['requestState'] });
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('the call is lost: send it again') });
    await other[Symbol.asyncDispose]();
  });
});
