// Serves one server twice: plain requests are answered directly, or all requests by the SDK. Side effects (reads,
// permission checks, observed requests, log entries) are recorded for comparison.
import { createServer } from 'node:http';
import { ProtocolError } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { RpcError } from '../../../packages/live/src/definition/answer/rpc-error.ts';
import { addPassedTool } from '../../../packages/live/src/definition/passed-definitions.ts';
import type { WaitingCall } from '../../../packages/live/src/definition/tool/waiting-call.ts';
import { addWaitingTool } from '../../../packages/live/src/definition/waiting-tool.ts';
import { LimitExceeded, LiveError, notFound } from '../../../packages/live/src/base/error.ts';
import type { Caller } from '../../../packages/live/src/resource/caller.ts';
import { type LiveServer, liveServer } from '../../../packages/live/src/live-server.ts';
import { plainAnswer } from './plain-answers.ts';
import { content, contents } from '../../../packages/live/src/resource/content.ts';
import { NodeEndpoint } from '../../../packages/live/src/serve/node-endpoint.ts';
import { type Recognise, plainHttpRequest } from '../../../packages/live/src/serve/exchange/plain-http-request.ts';

export interface Served {
  readonly port: number;
  /** Returns and clears the recorded side effects. */
  takeEvents(): unknown[];
  close(): Promise<void>;
}

export interface BothWays {
  readonly direct: Served;
  readonly sdk: Served;
  /** The number of requests that were answered directly. */
  directly(): number;
  close(): Promise<void>;
}

export async function serveBothWays(recognise: Recognise = plainHttpRequest): Promise<BothWays> {
  let count = 0;
  const direct = await serve((req, body) => {
    const request = recognise(req, body);
    if (request) count += 1;
    return request;
  });
  const sdk = await serve(() => undefined);
  return {
    direct,
    sdk,
    directly: () => count,
    close: async () => {
      await direct.close();
      await sdk.close();
    },
  };
}

async function serve(recognise: Recognise): Promise<Served> {
  const events: unknown[] = [];
  const server = oddServer((event) => events.push(event));
  const endpoint = new NodeEndpoint(
    server.definition,
    {
      allowedOrigins: ['https://app.example'],
      authenticate: ({ headers: { authorization } }) =>
        authorization === 'Bearer bad' ? undefined : { subject: authorization ?? 'anonymous' },
      observe: ({ ms: _ms, ...request }) => events.push({ observed: request }),
    },
    recognise,
  );
  const http = createServer((req, res) => void endpoint.handle(req, res));
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen on a port.');
  const { port } = address;
  return {
    port,
    takeEvents: () => events.splice(0),
    close: async () => {
      await endpoint.close();
      http.closeAllConnections();
      await new Promise((resolve) => void http.close(resolve));
      await server.close();
    },
  };
}

/** A server with results and failures of every kind. */
function oddServer(note: (event: unknown) => void): LiveServer {
  const log = (level: string) => (details: object, text: string) => note({ level, keys: Object.keys(details), text });
  const server = liveServer({
    name: 'both-ways',
    version: '1.0.0',
    title: 'Both ways \u2603',
    pageSize: 3,
    limits: { bodyBytes: 20_000, uriLength: 200, urisPerSubscriber: 4 },
    log: { warn: log('warn'), error: log('error') },
    authorize: (caller, uri) => {
      note({ authorize: uri, caller });
      return uri !== 'note://secret' || caller.auth?.subject === 'Bearer owner';
    },
  });
  server.resource('note://{name}', {
    title: 'A note',
    read: ({ name }, { caller, uri, signal }) => {
      note({ read: name, caller, uri, hasLeft: signal.aborted });
      return name === 'none' ? notFound() : `Note ${name}`;
    },
    list: () => ['a', 'b', 'c', 'd', 'secret', 'f', 'g'].map((name) => ({ name })),
  });
  server.resource('cached://{name}', {
    mimeType: 'application/json',
    ttlMs: 5000,
    cacheScope: 'public',
    read: ({ name }) => ({ name, text: '\u2028 "quoted" \ud83d\ude00 \ud800' }),
  });
  server.resource('bytes://all', { read: () => new Uint8Array([0, 1, 255]) });
  server.resource('many://all', {
    read: () => contents([content('one', { uri: 'many://one', _meta: { code: -32603 } }), { two: 2 }], { ttlMs: 7 }),
  });
  // The SDK leaves out invalid cache rules.
  server.resource('rule://odd', { read: () => contents(['text'], { ttlMs: -1 }) });
  server.resource('rule://half', { read: () => contents(['text'], { cacheScope: 'public' }) });
  server.resource('unknown://value', { read: () => undefined });
  server.resource('typed://x', { read: () => content('text', { mimeType: 'text/x-odd' }) });
  server.resource('fault://{kind}', { read: ({ kind }) => fail(kind) });
  server.tool('nothing', {}, () => 'done');
  const output = z.object({ how: z.string() });
  const input = z.object({ how: z.string() });
  for (const [name, options] of [['plain', {}] as const, ['typed', { output }] as const]) {
    addPassedTool(server, name, { input, isPlain: true, ...options }, async (args, { caller, client, mcpReq }) => {
      const { how } = input.parse(args);
      note({ call: how, caller, client: client.info, capabilities: client.capabilities, left: mcpReq.signal.aborted });
      return plainAnswer(how);
    });
  }
  const hidden = { visibleTo: ({ auth }: Caller) => auth?.subject === 'Bearer owner' };
  for (const [name, options] of [['wait', {}] as const, ['hidden', hidden] as const]) {
    addWaitingTool(server, name, { input: z.object({ how: z.string() }), output, ...options }, ({ how }, call) => {
      note({ wait: how, caller: call.caller });
      begin(how, call);
      return { stop: () => undefined };
    });
  }
  return server;
}

function begin(how: string, call: WaitingCall): void {
  const answer = (structuredContent: { how: string }) =>
    call.answer({ content: [{ type: 'text', text: '\u2028 "quoted" \ud83d\ude00' }], structuredContent });
  if (how === 'throw') throw new LiveError('UNAVAILABLE', 'Not now.');
  if (how === 'at once') answer({ how });
  else if (how === 'later') setImmediate(() => answer({ how }));
  else if (how === 'large') answer({ how: 'x'.repeat(100_000) });
  else if (how === 'limit') call.fail(new LimitExceeded('Too much: try again in 3 s.', 3));
  else if (how === 'surprise') call.fail(new Error('a secret'));
  else setImmediate(() => call.fail(new RpcError(Number(how) || 7, how, { how })));
}

function fail(kind: string): never {
  if (kind === 'limit') throw new LimitExceeded('Too much: try again in 3 s.', 3);
  if (kind === 'unavailable') throw new LiveError('UNAVAILABLE', 'Not now.');
  const code = Number(kind);
  if (kind !== '' && Number.isFinite(code)) throw new ProtocolError(code, `Code ${kind}`, { kind });
  throw new Error('a secret');
}
