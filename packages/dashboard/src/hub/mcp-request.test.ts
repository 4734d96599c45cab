import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { type CallInProgress, mcpRequest } from './mcp-request.ts';

interface Sent {
  headers: Headers;
  params: Record<string, unknown>;
}

const bodySchema = z.object({ params: z.looseObject({}) });
const schema = z.object({ text: z.string() });
const result = { jsonrpc: '2.0', id: 1, result: { text: 'done' } };
const question = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    resultType: 'input_required',
    inputRequests: { name: { method: 'elicitation/create', params: { message: 'Which?', requestedSchema: {} } } },
    requestState: 'state 1',
  },
};

/** A hub that gives these answers, one per request. */
function answering(...answers: Response[]): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', (_address: string, init: RequestInit) => {
    const { params } = bodySchema.parse(JSON.parse(typeof init.body === 'string' ? init.body : ''));
    sent.push({ headers: new Headers(init.headers), params });
    const answer = answers.shift();
    return answer ? Promise.resolve(answer) : Promise.reject(new Error('Asked too often.'));
  });
  return sent;
}

const stream = (text: string) => new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const request = { serverId: 'notes', method: 'tools/call', schema };

function callBy(person: Partial<CallInProgress>): CallInProgress {
  return {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ask: () => Promise.reject(new Error('Nobody is there.')),
    ...person,
  };
}

describe('a request to a server', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('returns the result of a JSON answer', async () => {
    answering(Response.json(result));
    expect(await mcpRequest(request)).toEqual({ text: 'done' });
  });

  it('fails with the message of the server, or the status of the hub', async () => {
    answering(Response.json({ error: { message: 'No such tool.' } }), Response.json({}, { status: 502 }));
    await expect(mcpRequest(request)).rejects.toThrow('No such tool.');
    await expect(mcpRequest(request)).rejects.toThrow('The hub answered 502.');
  });

  it.each([
    ['with a space after the colon', 'data: ', '\n'],
    ['without one', 'data:', '\n'],
    ['with carriage returns', 'data: ', '\r\n'],
  ])('reports progress and log messages of an event stream %s', async (_case, field, end) => {
    const progress = { method: 'notifications/progress', params: { progress: 1, total: 2, message: 'half' } };
    const log = { method: 'notifications/message', params: { level: 'info', data: 'working' } };
    const lines = [progress, log, result].map((message) => `${field}${JSON.stringify(message)}${end}${end}`);
    answering(stream(`: comment${end}${end}${lines.join('')}`));
    const words: string[] = [];
    const logged: unknown[] = [];
    const call = callBy({
      onProgress: (text) => void words.push(text),
      log: { level: 'info', onMessage: ({ data }) => void logged.push(data) },
    });
    expect(await mcpRequest({ ...request, call })).toEqual({ text: 'done' });
    expect([words, logged]).toEqual([['1 of 2 half'], ['working']]);
  });

  it('is sent again with the answers of the user and the state of the server', async () => {
    const sent = answering(Response.json(question), Response.json(result));
    const answers = { name: { action: 'accept' as const, content: { name: 'a' } } };
    const call = callBy({ ask: () => Promise.resolve(answers) });
    expect(await mcpRequest({ ...request, params: { name: 'find' }, call })).toEqual({ text: 'done' });
    expect(sent[1]?.params).toMatchObject({ name: 'find', inputResponses: answers, requestState: 'state 1' });
  });

  it('fails if the server asks while no user waits, or asks too often', async () => {
    answering(Response.json(question));
    await expect(mcpRequest(request)).rejects.toThrow('cannot be answered here');
    answering(...Array.from({ length: 11 }, () => Response.json(question)));
    const call = callBy({ ask: () => Promise.resolve({}) });
    await expect(mcpRequest({ ...request, call })).rejects.toThrow('has asked 10 times');
  });

  it.each([
    ['find notes', 'find notes'],
    [' find', '=?base64?IGZpbmQ=?='],
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    ['=?x', '=?base64?PT94?='],
  ])('names %j in a header as %j', async (name, header) => {
    const sent = answering(Response.json(result));
    await mcpRequest({ ...request, name });
    expect(sent[0]?.headers.get('mcp-name')).toBe(header);
  });
});
