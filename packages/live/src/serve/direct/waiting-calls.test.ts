import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ObservedRequest } from '../../definition/observe.ts';
import type { WaitingCall } from '../../definition/tool/waiting-call.ts';
import { addWaitingTool } from '../../definition/waiting-tool.ts';
import { liveServer } from '../../live-server.ts';
import type { HeldKind } from '../../quota/quotas.ts';
import { SubjectQuotas } from '../../quota/subject-quotas.ts';
import { type Era, FakeClock, connectFetch, eventually } from '../../testing.ts';
import { NodeEndpoint } from '../node-endpoint.ts';
import { WebEndpoint } from '../web-endpoint.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const ask = { input: z.object({ for: z.string() }) };
const ten = { sessions: 10, streams: 10, watchedUris: 10, watchedCharacters: 10, requestsInFlight: 10 };
const done = (text: string) => ({ content: [{ type: 'text' as const, text }] });

function waitingServer() {
  const clock = new FakeClock();
  const quotas = new SubjectQuotas<HeldKind>({
    clock,
    totals: ten,
    limitsOf: () => ({ ...ten, requestsPerSecond: 1000 }),
    subjects: () => [],
  });
  const server = liveServer({ name: 'waiting', version: '1.0.0', clock, quotas });
  const calls: (WaitingCall & { isStopped: boolean })[] = [];
  addWaitingTool(server, 'wait', ask, (_args, call) => {
    const seen = { ...bound(call), isStopped: false };
    calls.push(seen);
    return { stop: () => void (seen.isStopped = true) };
  });
  const observed: ObservedRequest[] = [];
  return { clock, quotas, server, calls, observed, observe: (each: ObservedRequest) => void observed.push(each) };
}

function bound(call: WaitingCall): WaitingCall {
  return {
    caller: call.caller,
    progress: (each) => call.progress(each),
    answer: (each) => call.answer(each),
    fail: (error) => call.fail(error),
  };
}

type Waiting = ReturnType<typeof waitingServer>;

function callsIn({ observed }: Waiting): ObservedRequest[] {
  return observed.filter(({ method }) => method === 'tools/call');
}

interface Serving {
  call(this: void, meta?: object, signal?: AbortSignal): Promise<Response>;
  /** Any other message, in the same session. */
  send(this: void, message: object): Promise<Response>;
  close(this: void): Promise<void>;
}

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', host: 'localhost' };

function post(message: object, headers: object, signal?: AbortSignal): RequestInit {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return { method: 'POST', headers: { ...usual, ...headers }, body, ...(signal && { signal }) };
}

function modernCall(meta: object, signal: AbortSignal | undefined): RequestInit {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...meta,
  };
  const params = { name: 'wait', arguments: { for: 'it' }, _meta };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'wait' };
  return post({ id: 7, method: 'tools/call', params }, headers, signal);
}

type Ask = (request: RequestInit) => Promise<Response>;

/** A client of this era; of the 2025 one in a session. */
async function client(era: Era, ask: Ask): Promise<Omit<Serving, 'close'>> {
  if (era === 'modern') {
    return { call: (meta = {}, signal) => ask(modernCall(meta, signal)), send: () => expect.fail() };
  }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const opened = await ask(post({ id: 0, method: 'initialize', params }, {}));
  await opened.text();
  const sessionId = opened.headers.get('mcp-session-id') ?? expect.fail();
  const headers = { 'mcp-session-id': sessionId, 'mcp-protocol-version': '2025-11-25' };
  let id = 6;
  return {
    call: (_meta = {}, signal) => {
      id += 1;
      const call = { name: 'wait', arguments: { for: 'it' }, _meta };
      return ask(post({ id, method: 'tools/call', params: call }, headers, signal));
    },
    send: (message) => ask(post(message, headers)),
  };
}

async function overNode({ server, observe }: Waiting, era: Era): Promise<Serving> {
  const endpoint = new NodeEndpoint(server.definition, { observe });
  const http = createServer((req, res) => void endpoint.handle(req, res));
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  closing.push(async () => {
    await endpoint.close();
    http.closeAllConnections();
    await new Promise((resolve) => void http.close(resolve));
  });
  const ask: Ask = (request) => fetch(`http://127.0.0.1:${port}/mcp`, request);
  return { ...(await client(era, ask)), close: () => endpoint.close() };
}

async function overWeb({ server, observe }: Waiting, era: Era): Promise<Serving> {
  const endpoint = new WebEndpoint(server.definition, { observe });
  closing.push(() => endpoint.close());
  const ask: Ask = (request) => endpoint.fetch(new Request('http://localhost/mcp', request));
  return { ...(await client(era, ask)), close: () => endpoint.close() };
}

describe.each([
  ['modern', 'Node', overNode],
  ['modern', 'the web', overWeb],
  ['legacy', 'Node', overNode],
  ['legacy', 'the web', overWeb],
] as const)('a waiting call of a %s client, with a server of %s', (era, _name, serve) => {
  it('is answered with JSON when its tool answers', async () => {
    const waiting = waitingServer();
    const { call } = await serve(waiting, era);
    const response = call();
    await eventually('the call', () => waiting.calls.length === 1);
    waiting.clock.advance(3000);
    // It counts as a stream, not as a request.
    expect([waiting.quotas.used('', 'requestsInFlight'), waiting.quotas.used('', 'streams')]).toEqual([0, 1]);
    waiting.calls[0]?.answer(done('changed'));
    const answer = await response;
    expect(answer.headers.get('content-type')).toBe('application/json');
    const result = { ...(era === 'modern' && { resultType: 'complete' }), ...done('changed') };
    expect(await answer.json()).toMatchObject({ id: 7, result });
    await eventually('nothing to be held', () => waiting.quotas.used('', 'streams') === 0);
    expect(callsIn(waiting)).toMatchObject([{ method: 'tools/call', ms: 3000 }]);
    expect(waiting.observed.at(-1)?.code).toBeUndefined();
  });

  it('becomes an event stream with its first progress, which only a client with a progress token gets', async () => {
    const waiting = waitingServer();
    const { call } = await serve(waiting, era);
    const [asked, other] = [call({ progressToken: 'p' }), call()];
    await eventually('both calls', () => waiting.calls.length === 2);
    for (const each of waiting.calls) each.progress({ progress: 1, total: 9, message: '\u2603' });
    for (const each of waiting.calls) each.answer(done('\u2603'));
    const messagesOf = async (response: Response) => {
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const events = [...(await response.text()).matchAll(/^event: message\ndata: (.*)$/gm)];
      return events.map(([, json = '']): unknown => JSON.parse(json));
    };
    expect(await messagesOf(await asked)).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p', progress: 1, total: 9, message: '\u2603' } },
      { id: 7, result: done('\u2603') },
    ]);
    expect(await messagesOf(await other)).toMatchObject([{ result: done('\u2603') }]);
  });

  it.each([[{}], [{ progressToken: 1 }]])('ends when its client leaves (%j)', async (meta) => {
    const waiting = waitingServer();
    const { call } = await serve(waiting, era);
    const leaving = new AbortController();
    const response = call(meta, leaving.signal).then((answer) => answer.text());
    response.catch(() => undefined);
    await eventually('the call', () => waiting.calls.length === 1);
    waiting.calls[0]?.progress({ progress: 1 });
    leaving.abort();
    await eventually('the end', () => waiting.calls[0]?.isStopped === true && callsIn(waiting).length === 1);
    expect(callsIn(waiting)).toMatchObject([{ code: 'CANCELLED' }]);
    await eventually('nothing to be held', () => waiting.quotas.used('', 'requestsInFlight') === 0);
    // Too late, without effect.
    waiting.calls[0]?.answer(done('late'));
    expect(callsIn(waiting)).toHaveLength(1);
  });

  it('is stopped when the endpoint closes', async () => {
    const waiting = waitingServer();
    const { call, close } = await serve(waiting, era);
    const response = call();
    await eventually('the call', () => waiting.calls.length === 1);
    await close();
    expect(await (await response).json()).toMatchObject({ result: { isError: true } });
    expect(waiting.calls[0]?.isStopped).toBe(true);
  });
});

describe('a waiting call in a session of the 2025 era', () => {
  const waitingCall = async () => {
    const waiting = waitingServer();
    const serving = await overNode(waiting, 'legacy');
    const response = serving.call({ progressToken: 'p' });
    await eventually('the call', () => waiting.calls.length === 1);
    return { waiting, serving, response };
  };

  it('is cancelled by its id, without an answer', async () => {
    const { waiting, serving, response } = await waitingCall();
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 7 } };
    expect((await serving.send(cancelled)).status).toBe(202);
    expect(await (await response).text()).toBe('');
    expect(waiting.calls[0]?.isStopped).toBe(true);
    expect(callsIn(waiting)).toMatchObject([{ code: 'CANCELLED', client: { name: 'raw' } }]);
  });

  it('reserves its request id', async () => {
    const { waiting, serving, response } = await waitingCall();
    const again = await serving.send({ id: 7, method: 'tools/list', params: {} });
    expect([again.status, await again.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('already in use') } },
    ]);
    waiting.calls[0]?.answer(done('changed'));
    expect(await (await response).json()).toMatchObject({ id: 7, result: done('changed') });
    expect((await serving.send({ id: 7, method: 'tools/list', params: {} })).status).toBe(200);
  });

  it('keeps its session from being idle', async () => {
    const { waiting, serving, response } = await waitingCall();
    waiting.clock.advance(60 * 60_000);
    waiting.calls[0]?.answer(done('changed'));
    await (await response).text();
    expect((await serving.send({ id: 8, method: 'tools/list', params: {} })).status).toBe(200);
    waiting.clock.advance(60 * 60_000);
    expect((await serving.send({ id: 9, method: 'tools/list', params: {} })).status).toBe(404);
  });

  it('is handled by the SDK if it needs validation', async () => {
    const { waiting, serving } = await waitingCall();
    const call = (params: object) => serving.send({ id: 8, method: 'tools/call', params });
    expect(await (await call({ name: 'wait', arguments: { for: 1 } })).text()).toContain('"isError":true');
    expect(await (await call({ name: 'none', arguments: {} })).text()).toContain('-32602');
    expect(waiting.calls).toHaveLength(1);
  });
});

it('a call that is answered at once is over for the quotas, too', async () => {
  const { quotas, server } = waitingServer();
  addWaitingTool(server, 'answer', ask, (_args, call) => {
    call.answer(done('at once'));
    return { stop: () => undefined };
  });
  const client = await connectFetch(new WebEndpoint(server.definition).fetch, 'modern');
  closing.push(() => client.close());
  expect(await client.call('answer', { for: 'nothing' })).toBe('at once');
  expect(quotas.used('', 'requestsInFlight')).toBe(0);
});

describe.each(['modern', 'legacy'] as const)('a waiting call of a %s client that left while it was admitted', (era) => {
  const isOver = async (waiting: Waiting, { send }: Omit<Serving, 'close'>) => {
    await eventually('the end', () => callsIn(waiting).length === 1);
    expect(callsIn(waiting)).toMatchObject([{ code: 'CANCELLED' }]);
    await eventually('nothing to be held', () => waiting.quotas.used('', 'requestsInFlight') === 0);
    if (era === 'legacy') {
      const again = await send({ id: 7, method: 'tools/list', params: {} });
      expect([again.status, await again.text()]).toEqual([200, expect.stringContaining('wait')]);
    }
    expect(waiting.calls).toEqual([]);
  };

  it('is not begun by a server of Node', async () => {
    const waiting = waitingServer();
    const leaving = new AbortController();
    let leave: ((left: Promise<unknown>) => Promise<unknown>) | undefined;
    const endpoint = new NodeEndpoint(waiting.server.definition, {
      observe: waiting.observe,
      authenticate: async (req) => {
        await leave?.(once(req.socket, 'close'));
        return { subject: '' };
      },
    });
    closing.push(() => endpoint.close());
    // A framework that reads bodies first.
    const http = createServer((req, res) => {
      void json(req).then((body) => endpoint.handle(req, res, body));
    }).listen(0, '127.0.0.1');
    closing.push(async () => http.close().closeAllConnections());
    await once(http, 'listening');
    const address = http.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const serving = await client(era, (request) => fetch(`http://127.0.0.1:${port}/mcp`, request));
    leave = (left) => {
      leave = undefined;
      leaving.abort();
      return left;
    };
    await expect(serving.call({}, leaving.signal)).rejects.toThrow('aborted');
    await isOver(waiting, serving);
  });

  it('is not begun by a server of the web', async () => {
    const waiting = waitingServer();
    const leaving = new AbortController();
    let leave: (() => void) | undefined;
    const endpoint = new WebEndpoint(waiting.server.definition, {
      observe: waiting.observe,
      authenticate: () => {
        leave?.();
        return { subject: '' };
      },
    });
    closing.push(() => endpoint.close());
    const serving = await client(era, (request) => endpoint.fetch(new Request('http://localhost/mcp', request)));
    leave = () => leaving.abort();
    expect((await serving.call({}, leaving.signal)).status).toBe(499);
    await isOver(waiting, serving);
  });
});
