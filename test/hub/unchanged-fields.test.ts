// Rare fields pass through the hub unchanged in both directions, in every combination of eras.
import type { Era } from '@tidings/live/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Script, ScriptedError, ScriptedUpstream } from '../support/wire/scripted-upstream.ts';
import { WireClient } from '../support/wire/wire-client.ts';
import { type Asked, comparable, introduced } from './comparable-answers.ts';
import { type RunningHub, runningHub } from './running-hub.ts';

const eras = ['modern', 'legacy'] as const;
const ui = 'io.modelcontextprotocol/ui';
const icons = [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'] }];

const tool = {
  name: 'ask',
  title: 'Ask',
  description: 'Asks.',
  icons,
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string' }, many: { type: 'integer', minimum: 1 } },
    required: ['region'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, title: 'Ask it' },
  _meta: { ui: { resourceUri: 'ui://ask/view' }, 'example.com/kind': 'question' },
};

const routed = {
  name: 'route',
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
};
const tools = [tool, routed, { name: 'fail', inputSchema: { type: 'object' } }];

const script: Script = {
  serverInfo: {
    name: 'full',
    version: '3.2.1',
    title: 'Everything there is',
    description: 'Says all it can.',
    websiteUrl: 'https://example.com/',
    icons,
  },
  capabilities: {
    tools: {},
    prompts: {},
    resources: {},
    completions: {},
    extensions: { [ui]: { mimeTypes: ['text/html;profile=mcp-app'] } },
  },
  instructions: 'Ask first, then read.',
  answer: (method, params) => {
    switch (method) {
      case 'tools/list':
        return { tools, _meta: { 'example.com/list': method }, ...hints };
      case 'prompts/list':
        return {
          prompts: [
            { name: 'none', title: 'Without arguments' },
            {
              name: 'greet',
              icons,
              arguments: [
                { name: 'who', title: 'Whom to greet', description: 'A name.', required: true },
                { name: 'how', title: 'In which way' },
              ],
              _meta: { 'example.com/tone': 'warm' },
            },
          ],
          _meta: { 'example.com/list': method },
          ...hints,
        };
      case 'resources/list':
        return {
          resources: [
            {
              uri: 'full://one',
              name: 'one',
              title: 'One',
              description: 'The first.',
              mimeType: 'text/plain',
              size: 3,
              icons,
              annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' },
              _meta: { 'example.com/a': 1 },
            },
          ],
          _meta: { 'example.com/list': method },
          ...hints,
        };
      case 'resources/templates/list':
        return {
          resourceTemplates: [
            {
              uriTemplate: 'full://{id}',
              name: 'any',
              title: 'Any',
              icons,
              annotations: { priority: 1 },
              _meta: { b: 2 },
            },
          ],
          _meta: { 'example.com/list': method },
          ...hints,
        };
      case 'resources/read': {
        if (params['uri'] === 'full://gone') throw new ScriptedError(-31900, 'It is gone.', { since: 'yesterday' });
        const content = { uri: params['uri'], mimeType: 'text/plain', text: 'One', _meta: { 'example.com/c': 3 } };
        return { contents: [content], _meta: { 'example.com/d': 4 }, ...hints };
      }
      case 'prompts/get':
        if (params['name'] === 'none') throw new ScriptedError(-31901, 'Not today.', { until: 'tomorrow' });
        return {
          description: 'A greeting.',
          messages: [{ role: 'assistant', content: { type: 'text', text: 'Hello', annotations: { priority: 1 } } }],
          _meta: { 'example.com/e': 5 },
        };
      case 'tools/call':
        if (params['name'] === 'fail') throw new ScriptedError(-31902, 'No.', { why: ['because'] });
        return {
          content: [{ type: 'text', text: 'Well.', annotations: { audience: ['assistant'] }, _meta: { f: 6 } }],
          structuredContent: { answer: 42 },
          _meta: { 'example.com/g': 7 },
        };
      case 'completion/complete':
        return { completion: { values: ['a', 'b'], total: 500, hasMore: true } };
      default:
        throw new ScriptedError(-32601, 'Method not found');
    }
  },
};
const hints = { ttlMs: 5000, cacheScope: 'public' };

const asked: Asked[] = [
  ['tools/list'],
  ['prompts/list'],
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: 'full://one' }],
  ['resources/read', { uri: 'full://gone' }],
  ['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }],
  ['prompts/get', { name: 'none' }],
  ['tools/call', { name: 'ask', arguments: { region: 'eu' } }],
  ['tools/call', { name: 'fail' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'full://{id}' }, argument: { name: 'id', value: '' } }],
];

const upstreams = new Map<Era, ScriptedUpstream>();
const entries = () => [...upstreams].map(([era, upstream]) => upstream.entry(era));
let hub: RunningHub;
beforeAll(async () => {
  for (const era of eras) upstreams.set(era, await ScriptedUpstream.start(era, { ...script, answer: answerIn(era) }));
  hub = await runningHub({ servers: entries() });
  await hub.isLive(...eras);
});
afterAll(async () => {
  await hub[Symbol.asyncDispose]();
  for (const upstream of upstreams.values()) await upstream[Symbol.asyncDispose]();
});

/** The 2025 era has no cache hints, but task support. */
function answerIn(era: Era): Script['answer'] {
  if (era === 'modern') return script.answer;
  return (method, params) => {
    const { ttlMs: _ttlMs, cacheScope: _cacheScope, ...answer } = script.answer(method, params);
    if (method !== 'tools/list') return answer;
    const withTasks = (each: object) => Object.assign({ execution: { taskSupport: 'optional' } }, each);
    return { ...answer, tools: tools.map(withTasks) };
  };
}

describe.each(eras)('a %s client', (clientEra) => {
  describe.each(eras)('with a %s server behind', (serverEra) => {
    const upstream = () => upstreams.get(serverEra) ?? expect.fail();
    const through = (path = `/mcp/${serverEra}`) =>
      WireClient.http(`${hub.url}${path}`, clientEra, {
        capabilities: { extensions: { [ui]: { mimeTypes: ['text/html'] } } },
      });

    it('gets every field unchanged', async () => {
      await using direct = await WireClient.direct(upstream().entry('direct'), serverEra);
      await using client = await through();
      const { capabilities: expected, ...expectedInfo } = introduced(await direct.introduction());
      const { capabilities, ...info } = introduced(await client.introduction());
      expect(info).toEqual(expectedInfo);
      expect(capabilities).toMatchObject(Object(expected));
      for (const each of asked) {
        const [expected, given] = [await direct.ask(...each), await client.ask(...each)];
        expect
          .soft(comparable(each, given, clientEra), JSON.stringify(each))
          .toEqual(comparable(each, expected, clientEra));
      }
    });

    it('sends every field of its requests', async () => {
      await using client = await through();
      const sent = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'x=1', baggage: 'k=v' };
      const _meta = { ...sent, 'example.com/tenant': { id: 7 } };
      for (const [method, params] of asked.filter(([name]) => !name.endsWith('/list'))) {
        await client.ask(method, { ...params, _meta });
        expect.soft(upstream().last(method)?.params['_meta'], method).toMatchObject(_meta);
      }
    });

    it('is identified to a modern server by its name and extensions', async () => {
      await using client = await through();
      // Reads that differ only in their client are one read at the server.
      for (const [method, params] of asked.filter(([name]) => !/list$|read$/.test(name))) {
        await client.ask(method, params);
        if (serverEra === 'legacy') continue;
        expect.soft(upstream().last(method)?.params['_meta'], method).toMatchObject({
          'io.modelcontextprotocol/clientInfo': { name: 'wire', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': { extensions: { [ui]: { mimeTypes: ['text/html'] } } },
        });
      }
    });

    it('sends arguments as headers, if the tool says so', async () => {
      await using client = await through();
      await client.client.listTools();
      const { content } = await client.client.callTool({ name: 'route', arguments: { region: 'eu' } });
      expect(content).toMatchObject([{ text: 'Well.' }]);
      if (serverEra === 'modern') expect(upstream().last('tools/call')?.headers['mcp-param-region']).toBe('eu');
    });
  });

  it('gets the instructions of all servers at the common address, each under its name', async () => {
    await using client = await WireClient.http(`${hub.url}/mcp`, clientEra);
    const { serverInfo, instructions } = introduced(await client.introduction());
    expect(serverInfo).toMatchObject({ name: 'tidings' });
    for (const era of eras) expect(instructions).toContain(`# Server "${era}"\n\n> Ask first, then read.`);
  });

  it('reaches the second of two servers with the same template', async () => {
    await using client = await WireClient.http(`${hub.url}/mcp`, clientEra);
    const { resourceTemplates } = await client.client.listResourceTemplates();
    expect(resourceTemplates.map((each) => each.uriTemplate)).toEqual(['full://{id}', 'tidings://legacy/full://{id}']);
    const { contents } = await client.client.readResource({ uri: 'tidings://legacy/full://a%2Fb' });
    expect(contents).toMatchObject([{ uri: 'tidings://legacy/full://a%2Fb', text: 'One' }]);
    expect(upstreams.get('legacy')?.last('resources/read')?.params['uri']).toBe('full://a%2Fb');
    const ref = { type: 'ref/resource' as const, uri: 'tidings://legacy/full://{id}' };
    const { completion } = await client.client.complete({ ref, argument: { name: 'id', value: '' } });
    expect(completion).toEqual({ values: ['a', 'b'], total: 500, hasMore: true });
  });
});

it('with tokens, responses have the private cache scope', async () => {
  const read: Asked = ['resources/read', { uri: 'full://one' }];
  await using open = await WireClient.http(`${hub.url}/mcp/modern`, 'modern');
  expect((await open.ask(...read)).result).toMatchObject({ ttlMs: 5000, cacheScope: 'public' });
  const token = 'p'.repeat(32);
  await using closed = await runningHub({
    servers: entries(),
    config: { tokens: [{ env: 'PART', allow: ['full://**'] }] },
    env: { PART: token },
  });
  await closed.isLive(...eras);
  await using part = await WireClient.http(`${closed.url}/mcp/modern`, 'modern', { token });
  expect((await part.ask(...read)).result).toMatchObject({ ttlMs: 5000, cacheScope: 'private' });
  // A server's metadata of a whole list may concern items that this token does not see.
  for (const [method] of asked.slice(0, 4)) {
    expect(JSON.stringify((await open.ask(method)).result)).toContain('example.com/list');
    expect(JSON.stringify((await part.ask(method)).result)).not.toContain('example.com/list');
  }
});
