// A server may return other resources than the requested one. A limited token gets only those of them that it may read.
import { McpServer, Server, createMcpHandler } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { runningHub } from '../hub/running-hub.ts';
import { rpcRequest } from '../support/wire/raw-http.ts';
import { serveSdk } from '../track/sdk-http.ts';

const content = (path: string) => ({ uri: `docs://corp/${path}`, text: `text of ${path}` });
const answers: Record<string, { uri: string; text: string }[]> = {
  'docs://corp/public/all': [
    content('public/a'),
    content('private/b'),
    { ...content('x'), uri: 'docs://corp/public/../private/c' },
  ],
  'docs://corp/public/moved': [content('private/b')],
  'docs://corp/public/empty': [],
};

it('contents with URIs that a token may not read are removed from its reads', async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'docs', version: '1.0.0' }, { capabilities: { resources: {} } });
    for (const [uri, contents] of Object.entries(answers))
      server.registerResource(uri, uri, {}, () => ({ contents, cacheScope: 'public', ttlMs: 1000 }));
    return server;
  });
  await using docs = await serveSdk(handler);
  await using hub = await runningHub({
    servers: [{ ...docs.entry, id: 'docs' }],
    config: { tokens: [{ env: 'READER', allow: ['docs://corp/public/**'] }] },
    token: 'whole',
    env: { READER: 'part' },
  });
  await hub.isLive('docs');
  const get = async (uri: string, token: string) => {
    const path = `/resources/${encodeURIComponent(uri)}`;
    const answer = await hub.get(path, { Authorization: `Bearer ${token}` });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await get('docs://corp/public/all', 'whole')).text).toContain('private/b');
  expect(await get('docs://corp/public/all', 'part')).toEqual({ status: 200, text: 'text of public/a' });
  expect((await get('docs://corp/public/moved', 'whole')).status).toBe(200);
  const moved = await get('docs://corp/public/moved', 'part');
  expect(moved.status).toBe(403);
  expect(moved.text).not.toContain('private');
  expect((await get('docs://corp/public/empty', 'part')).status).toBe(200);
});

const link = (path: string) => ({ type: 'resource_link' as const, name: path, uri: `docs://corp/${path}` });
const both = [link('public/a'), link('private/b')];
const question = {
  method: 'elicitation/create' as const,
  params: { message: 'Who?', requestedSchema: { type: 'object' as const, properties: {} } },
};
const asking = { resultType: 'input_required' as const, inputRequests: { who: question } };
/** Results that look like another kind of result. */
const disguised = {
  'a result that says it is a question': { ...asking, content: both },
  'a result with a task': { resultType: 'complete', task: {}, content: both },
};

it('contents with URIs that a token may not read are removed from results disguised as another kind', async () => {
  const handler = createMcpHandler(() => {
    const capabilities = { resources: {}, tools: {}, prompts: {} };
    const server = new Server({ name: 'docs', version: '1.0.0' }, { capabilities });
    const names = Object.keys(disguised).map((_, index) => `tool-${index}`);
    server.setRequestHandler('resources/list', () => ({ resources: [{ uri: 'docs://corp/public/a', name: 'a' }] }));
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
    server.setRequestHandler('resources/read', () => ({ ...asking, contents: [content('private/b')] }));
    server.setRequestHandler('tools/list', () => ({
      tools: names.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
    }));
    server.setRequestHandler(
      'tools/call',
      ({ params }) => Object.values(disguised)[names.indexOf(params.name)] ?? { content: [] },
    );
    server.setRequestHandler('prompts/list', () => ({ prompts: [{ name: 'ask' }] }));
    server.setRequestHandler('prompts/get', () => ({
      ...asking,
      messages: both.map((each) => ({ role: 'user' as const, content: each })),
    }));
    return server;
  });
  await using docs = await serveSdk(handler);
  await using hub = await runningHub({
    servers: [{ ...docs.entry, id: 'docs', trackResources: false }],
    config: { tokens: [{ env: 'READER', allow: ['docs://corp/public/**'], tools: ['docs_*'], prompts: ['docs_*'] }] },
    token: 'whole',
    env: { READER: 'part' },
  });
  await hub.isLive('docs');
  const authorization = { Authorization: 'Bearer part' };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const ask = async (method: string, params: Record<string, unknown>) => {
    const { headers, body } = rpcRequest('modern', method, params);
    const answer = await fetch(`${hub.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, ...authorization },
      body: JSON.stringify({ ...body, params: { ...params, _meta } }),
    });
    return answer.text();
  };
  const bridged = await hub.get(`/resources/${encodeURIComponent('docs://corp/public/a')}`, authorization);
  const all = {
    '/resources/': await bridged.text(),
    'resources/read': await ask('resources/read', { uri: 'docs://corp/public/a' }),
    'tools/call, a question': await ask('tools/call', { name: 'docs_tool-0', arguments: {} }),
    'tools/call, a task': await ask('tools/call', { name: 'docs_tool-1', arguments: {} }),
    'prompts/get': await ask('prompts/get', { name: 'docs_ask' }),
  };
  expect(Object.entries(all).filter(([, text]) => text.includes('private/b'))).toEqual([]);
  expect(all['tools/call, a task']).toContain('docs://corp/public/a');
});
