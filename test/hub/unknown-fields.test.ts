// Undefined parts of the protocol through the hub: unknown members and kinds of content, results that violate their
// tool's schema, methods of extensions. In every combination of eras the client gets the same as from the server
// itself.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Script, ScriptedError } from '../support/wire/scripted-upstream.ts';
import { WireClient } from '../support/wire/wire-client.ts';
import { type Asked, comparable, introduced } from './comparable-answers.ts';
import { type ScriptedHub, scriptedHub } from './scripted-hub.ts';

const eras = ['modern', 'legacy'] as const;
const inputSchema = { type: 'object' };
const annotations = { readOnlyHint: true, 'x-hint': 'y' };
const outputSchema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
const text = { type: 'text', text: 'x', 'x-vendor': 1 };
const link = { type: 'resource_link', uri: 'odd://1', name: '1', 'x-vendor': 2 };

const results: Record<string, Record<string, unknown>> = {
  members: { content: [text, link], 'x-top': 3, isError: false, _meta: { 'example.com/r': 1 } },
  failing: { content: [text], isError: true },
  structured: { content: [{ type: 'text', text: 'no structured content' }] },
  broken: { content: [], structuredContent: { a: 'not a number' } },
  kind: { content: [{ type: 'hologram', data: 'x' }, text] },
  'with space, and comma': { content: [text] },
};
const tools = Object.keys(results).map((name) => ({
  name,
  inputSchema,
  annotations,
  'x-vendor': { k: 1 },
  outputSchema: name === 'structured' || name === 'broken' ? outputSchema : undefined,
}));

const script: Script = {
  serverInfo: { name: 'odd', version: '1' },
  capabilities: {
    tools: {},
    prompts: {},
    resources: {},
    completions: {},
    experimental: { 'example.com/channel': { a: 1 } },
    extensions: { 'example.com/x': { a: 1 } },
  },
  answer: (method, params) => {
    switch (method) {
      case 'tools/list':
        return { tools };
      case 'prompts/list':
        return { prompts: [{ name: 'p', 'x-vendor': 2, arguments: [{ name: 'q', 'x-arg': 3 }] }] };
      case 'resources/list':
        return { resources: [{ uri: 'odd://1', name: '1', 'x-vendor': 3 }] };
      case 'resources/templates/list':
        return { resourceTemplates: [{ uriTemplate: 'odd://{id}', name: 't', 'x-vendor': 4 }] };
      case 'resources/read':
        return { contents: [{ uri: params['uri'], text: 'x', 'x-vendor': 5 }], 'x-top': 6 };
      case 'prompts/get':
        return { messages: [{ role: 'user', content: text, 'x-message': 8 }], 'x-top': 9 };
      case 'tools/call':
        return results[String(params['name'])] ?? {};
      case 'completion/complete': {
        const completion = { values: ['a'], total: 7, hasMore: true, 'x-completion': 1 };
        return { completion, _meta: { 'example.com/c': 1 }, 'x-top': 12 };
      }
      case 'example.com/do':
        return { did: params['what'] };
      case 'example.com/fail':
        throw new ScriptedError(-31990, 'Bad.', { why: 1 });
      default:
        throw new ScriptedError(-32601, 'Method not found');
    }
  },
};

const asked: Asked[] = [
  ['tools/list'],
  ['prompts/list'],
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: 'odd://1' }],
  ['resources/read', { uri: 'odd://1', _meta: { 'example.com/m': 1 } }],
  ['prompts/get', { name: 'p' }],
  ...Object.keys(results).map((name): Asked => ['tools/call', { name, arguments: {} }]),
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'q', value: '' } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'odd://{id}' }, argument: { name: 'id', value: '' } }],
];

let scripted: ScriptedHub;
beforeAll(async () => {
  scripted = await scriptedHub(script);
});
afterAll(() => scripted[Symbol.asyncDispose]());

describe.each(eras)('a %s client', (clientEra) => {
  describe.each(eras)('with a %s server behind', (serverEra) => {
    const upstream = () => scripted.upstreams[serverEra];
    const through = (path = `/mcp/${serverEra}`) => WireClient.http(`${scripted.hub.url}${path}`, clientEra);

    it('gets unknown members, content and results unchanged', async () => {
      await using direct = await WireClient.direct(upstream().entry('direct'), serverEra);
      await using client = await through();
      expect(introduced(await client.introduction()).capabilities).toMatchObject({
        experimental: { 'example.com/channel': { a: 1 } },
        extensions: { 'example.com/x': { a: 1 } },
      });
      for (const each of asked) {
        const [expected, given] = [await direct.ask(...each), await client.ask(...each)];
        expect
          .soft(comparable(each, given, clientEra), JSON.stringify(each))
          .toEqual(comparable(each, expected, clientEra));
      }
    });

    it('sends no arguments if the call has none', async () => {
      await using client = await through();
      await client.ask('tools/call', { name: 'members' });
      expect(upstream().last('tools/call')?.params).not.toHaveProperty('arguments');
      await client.ask('prompts/get', { name: 'p' });
      expect(upstream().last('prompts/get')?.params).not.toHaveProperty('arguments');
    });

    it('reaches methods of an extension', async () => {
      await using client = await through();
      const _meta = { 'example.com/m': 1 };
      expect((await client.ask('example.com/do', { what: [1], _meta })).result).toMatchObject({ did: [1] });
      expect(upstream().last('example.com/do')?.params).toMatchObject({ what: [1], _meta });
      const { error } = await client.ask('example.com/fail', {});
      expect(error).toMatchObject({ code: -31990, message: 'Bad.', data: { why: 1 } });
      expect((await client.ask('example.com/none', {})).error).toMatchObject({ code: -32601 });
      await using common = await through('/mcp');
      const refused = await common.ask('example.com/do', {}).catch((error: unknown) => ({ error }));
      expect(JSON.stringify(refused)).toContain('Method not found');
    });

    it('causes no SDK warnings by the names of tools', async () => {
      const warn = vi.spyOn(console, 'warn');
      await using client = await through();
      await client.ask('tools/list');
      const name = 'with space, and comma';
      const { result } = await client.ask('tools/call', { name, arguments: {} });
      expect(result).toMatchObject({ content: [{ text: 'x' }] });
      expect(warn).not.toHaveBeenCalled();
      warn.mockRestore();
    });
  });
});

it('experimental capabilities of a client reach a modern server', async () => {
  const experimental = { 'example.com/client': { b: 2 } };
  await using client = await WireClient.http(`${scripted.hub.url}/mcp/modern`, 'modern', {
    capabilities: { experimental },
  });
  await client.ask('tools/call', { name: 'members', arguments: {} });
  expect(scripted.upstreams.modern.last('tools/call')?.params['_meta']).toMatchObject({
    'io.modelcontextprotocol/clientCapabilities': { experimental },
  });
});
