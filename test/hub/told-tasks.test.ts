// Status notifications of tasks through the hub, for a modern client that listens to them, with a server of each
// transport.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually } from '@tidings/live/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rpcRequest } from '../support/wire/raw-http.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const program = fileURLToPath(new URL('../fixtures/told-tasks-server.js', import.meta.url));
const extension = 'io.modelcontextprotocol/tasks';

let hub: RunningHub;
let overHttp: ChildProcess;
beforeAll(async () => {
  overHttp = spawn(process.execPath, [program, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed] = await once(overHttp.stdout ?? expect.fail(), 'data');
  const url = String(printed).trim();
  const usual = { enabled: true, trackResources: false };
  hub = await runningHub({
    servers: [
      { id: 'stdio', command: process.execPath, args: [program], env: {}, ...usual },
      { id: 'http', url, headers: {}, ...usual },
    ],
    token: 'secret-of-ada',
    config: { tokens: [{ env: 'GRACE' }] },
    env: { GRACE: 'secret-of-grace' },
  });
  for (const id of ['stdio', 'http']) {
    await hub.isLive(id);
    // If the probe times out on a busy machine, the server counts as one of the 2025 era.
    while (hub.status(id)?.era !== 'modern') {
      hub.hub.tracker.upstream(id).restart();
      await hub.isLive(id);
    }
  }
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  overHttp.kill();
});

interface Asked {
  token?: string;
  extensions?: object;
  signal?: AbortSignal;
}

function send(path: string, method: string, params: Record<string, unknown>, asked: Asked = {}): Promise<Response> {
  const { token = 'secret-of-ada', extensions = { [extension]: {} }, signal } = asked;
  const { headers, body } = rpcRequest('modern', method, params);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  };
  return fetch(`${hub.url}${path}`, {
    method: 'POST',
    headers: { ...headers, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...body, params: { ...params, _meta } }),
    ...(signal && { signal }),
  });
}

type Message = Record<string, Record<string, unknown>>;

function parsed(text: string): Message {
  return JSON.parse(text);
}

async function call(path: string, name: string): Promise<Record<string, unknown>> {
  const text = await (await send(path, 'tools/call', { name, arguments: {} })).text();
  return parsed(/^data: (.*)$/m.exec(text)?.[1] ?? text)['result'] ?? expect.fail(text);
}

/** The messages of a listen stream, until it is left. */
async function listening(path: string, taskIds: unknown, asked?: Asked) {
  const leaving = new AbortController();
  const response = await send(
    path,
    'subscriptions/listen',
    { notifications: { taskIds } },
    { ...asked, signal: leaving.signal },
  );
  const messages: Message[] = [];
  let isOver = false;
  const reading = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) messages.push(parsed(data));
      }
    }
    if (text.startsWith('{')) messages.push(parsed(text));
  };
  void reading()
    .catch(() => undefined)
    .then(() => (isOver = true));
  await eventually('an answer', () => messages.length > 0);
  return { messages, isOver: () => isOver, leave: () => leaving.abort() };
}

describe.each(['stdio', 'http'])('a task of a server on %s', (server) => {
  const prefix = `${server}_`;

  it.each([
    [`/mcp/${server}`, ''],
    ['/mcp', prefix],
  ])("sends status notifications at %s, under the hub's task id", async (path, named) => {
    const { taskId } = await call(path, `${named}begin`);
    const stream = await listening(path, [taskId, 'another']);
    expect(stream.messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId] } },
    });
    await call(path, `${named}finish`);
    await eventually('both notifications', () => stream.messages.length >= 3);
    const _meta = { 'io.modelcontextprotocol/subscriptionId': 1 };
    expect(stream.messages.slice(1)).toMatchObject([
      { method: 'notifications/tasks', params: { taskId, status: 'working', statusMessage: 'Nearly.', _meta } },
      { params: { taskId, status: 'completed', result: { content: [{ text: 'It took a while.' }] }, _meta } },
    ]);
    stream.leave();
    await eventually('the server to be left', async () => {
      const { content } = await call(path, `${named}listeners`);
      return JSON.stringify(content).includes('"0"');
    });
  });

  it('ends only the stream if its result is malformed', async () => {
    const { taskId } = await call(`/mcp/${server}`, 'begin');
    const stream = await listening(`/mcp/${server}`, [taskId]);
    await call(`/mcp/${server}`, 'spoil');
    await eventually('the end', stream.isOver);
    expect(stream.messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } });
    expect(hub.status(server)).toMatchObject({ state: 'live', failures: 0 });
  });

  it('sends no status to another principal', async () => {
    const { taskId } = await call(`/mcp/${server}`, 'begin');
    const stream = await listening(`/mcp/${server}`, [taskId], { token: 'secret-of-grace' });
    expect(stream.messages[0]).toMatchObject({ params: { notifications: {} } });
    expect(JSON.stringify(stream.messages[0])).not.toContain('taskIds');
    await eventually('the end of a stream on which nothing can come', stream.isOver);
  });
});

it('sends status only to a client that declares the extension', async () => {
  const { messages } = await listening('/mcp/stdio', [], { extensions: {} });
  expect(messages[0]).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities: { extensions: { [extension]: {} } } } },
  });
  const wrong = await listening('/mcp/stdio', 'all');
  expect(wrong.messages[0]).toMatchObject({ error: { code: -32602 } });
});

it('the stream of a task ends when its server ends', async () => {
  const { taskId } = await call('/mcp/stdio', 'begin');
  const stream = await listening('/mcp/stdio', [taskId]);
  hub.hub.tracker.upstream('stdio').restart();
  await eventually('the end', stream.isOver);
  expect(stream.messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } });
});
