import { createServer } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { ObservedRequest } from '../../definition/observe.ts';
import { addPassedTool } from '../../definition/passed-definitions.ts';
import type { Registration } from '../../definition/registry/registration.ts';
import { LimitExceeded, LiveError } from '../../base/error.ts';
import { type LiveServer, liveServer } from '../../live-server.ts';
import type { PlainContext } from '../../resource/call-context.ts';
import { eventually } from '../../testing.ts';
import { NodeEndpoint } from '../node-endpoint.ts';

const logged: string[] = [];
const log = { warn: () => undefined, error: (_: object, text: string) => void logged.push(text) };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  logged.length = 0;
  for (const close of closing.splice(0)) await close();
});

/** A tool `work` that the test controls, and the number of its calls. */
async function setup(
  work: (context: PlainContext) => Promise<unknown>,
  room: (bytes: number) => void = () => undefined,
) {
  const server = liveServer({ name: 'tools', version: '1.0.0', log });
  const state = { calls: 0 };
  const define = (input: z.ZodType = z.object({})): Registration =>
    addPassedTool(server, 'work', { isPlain: true, input }, async (_args, context) => {
      state.calls += 1;
      return work(context);
    });
  return { server, state, define, ...(await serve(server, room)) };
}

async function serve(server: LiveServer, room: (bytes: number) => void) {
  const observed: ObservedRequest[] = [];
  const endpoint = new NodeEndpoint(server.definition, {
    observe: (each) => observed.push(each),
    room: (_caller, bytes) => {
      room(bytes);
      return () => undefined;
    },
  });
  const http = createServer((req, res) => void endpoint.handle(req, res));
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.');
  closing.push(async () => {
    await endpoint.close();
    http.closeAllConnections();
    await new Promise((resolve) => void http.close(resolve));
  });
  return { url: `http://127.0.0.1:${address.port}/mcp`, endpoint, observed };
}

function call(url: string, signal?: AbortSignal): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'work',
  };
  const params = { name: 'work', arguments: {}, _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) });
}

it.each(['removed', 'replaced by one that refuses these arguments'])(
  'makes a call once, and answers with its failure, if its tool is %s meanwhile',
  async (how) => {
    const { url, state, define } = await setup(() => {
      registration.remove();
      if (how !== 'removed') define(z.object({ needed: z.string() }));
      throw new LiveError('UNAVAILABLE', 'The printer is broken.');
    });
    const registration = define();
    const response = await call(url);
    expect(await response.json()).toMatchObject({
      result: {
        isError: true,
        content: [{ text: 'The printer is broken.' }],
        _meta: { 'tidings/code': 'UNAVAILABLE' },
      },
    });
    expect(state.calls).toBe(1);
  },
);

it('interrupts a call when it closes: the tool’s signal is aborted, and the client gets an answer', async () => {
  let signal: AbortSignal | undefined;
  const { url, endpoint, define } = await setup(({ mcpReq }) => {
    ({ signal } = mcpReq);
    return new Promise(() => undefined);
  });
  define();
  const response = call(url);
  await eventually('the call', () => signal !== undefined);
  await endpoint.close();
  expect((await response).status).toBe(503);
  expect(signal?.aborted).toBe(true);
});

it('aborts the signal of a tool whose client has disconnected, and logs what the tool then throws', async () => {
  let signal: AbortSignal | undefined;
  const { url, observed, define } = await setup(async ({ mcpReq }) => {
    ({ signal } = mcpReq);
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    throw new Error('a fault');
  });
  define();
  const leaving = new AbortController();
  const response = call(url, leaving.signal);
  await eventually('the call', () => signal !== undefined);
  leaving.abort();
  await expect(response).rejects.toThrow();
  await eventually('the end', () => observed.length > 0);
  expect(observed).toMatchObject([{ method: 'tools/call', code: 'INTERNAL' }]);
  expect(logged).toEqual(['A handler failed unexpectedly.']);
});

it('does not abort a call that was answered', async () => {
  let signal: AbortSignal | undefined;
  const { url, observed, define } = await setup(async ({ mcpReq }) => {
    ({ signal } = mcpReq);
    return 'done';
  });
  define();
  expect(await (await call(url)).json()).toMatchObject({ result: { content: [{ text: 'done' }] } });
  expect([signal?.aborted, observed.length]).toEqual([false, 1]);
});

it('refuses a response above the quota as the SDK does, with the time of the next attempt', async () => {
  const { url, observed, define } = await setup(
    async () => 'x'.repeat(100_000),
    () => {
      throw new LimitExceeded('Too much is unread: try again in 5 s.', 5);
    },
  );
  define();
  const response = await call(url);
  expect(response.headers.get('retry-after')).toBe('5');
  expect(await response.json()).toMatchObject({ error: { code: -31013, data: { code: 'LIMIT_EXCEEDED' } } });
  expect(observed).toMatchObject([{ code: 'LIMIT_EXCEEDED' }]);
});
