// Unusual names of tools and prompts through the hub: members of Object.prototype, other scripts, empty names. Each is
// listed, called and refused as at the server itself.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Script, ScriptedError } from '../support/wire/scripted-upstream.ts';
import { WireClient } from '../support/wire/wire-client.ts';
import { type ScriptedHub, scriptedHub } from './scripted-hub.ts';

const eras = ['modern', 'legacy'] as const;
const names = ['2', '1', 'constructor', '__proto__', 'toString', 'a/b?c#d', '工具', '', 'plain'];
const refused = { code: -31903, message: 'Not this one.', data: { since: 'today' } };

const script: Script = {
  serverInfo: { name: 'odd', version: '1' },
  capabilities: { tools: {}, prompts: {}, completions: {} },
  answer: (method, params) => {
    switch (method) {
      case 'tools/list':
        return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) };
      case 'prompts/list':
        return { prompts: names.map((name) => ({ name })) };
      case 'tools/call':
        if (Object(params['arguments']).fails === true) throw refusal();
        return { content: [{ type: 'text', text: String(params['name']) }] };
      case 'prompts/get':
        if (Object(params['arguments']).fails === 'yes') throw refusal();
        return { messages: [{ role: 'user', content: { type: 'text', text: String(params['name']) } }] };
      case 'completion/complete':
        return { completion: { values: [String(Object(params['ref']).name)] } };
      default:
        throw new ScriptedError(-32601, 'Method not found');
    }
  },
};

function refusal(): ScriptedError {
  return new ScriptedError(refused.code, refused.message, refused.data);
}

let scripted: ScriptedHub;
beforeAll(async () => {
  scripted = await scriptedHub(script);
});
afterAll(() => scripted[Symbol.asyncDispose]());

describe.each(eras)('a %s client', (clientEra) => {
  describe.each(eras)('with a %s server behind', (serverEra) => {
    const through = () => WireClient.http(`${scripted.hub.url}/mcp/${serverEra}`, clientEra);

    it('lists tools and prompts with any name, in the order of the server', async () => {
      await using client = await through();
      const [tools, prompts] = [await client.ask('tools/list'), await client.ask('prompts/list')];
      expect(tools.result).toMatchObject({ tools: names.map((name) => ({ name })) });
      expect(prompts.result).toMatchObject({ prompts: names.map((name) => ({ name })) });
    });

    it.each(names)('calls the tool and gets the prompt %j', async (name) => {
      await using client = await through();
      for (const _meta of [{}, { progressToken: 1 }]) {
        const called = await client.ask('tools/call', { name, arguments: {}, _meta });
        expect(called.result).toMatchObject({ content: [{ text: name }] });
        const failed = await client.ask('tools/call', { name, arguments: { fails: true }, _meta });
        expect(failed.error).toMatchObject(refused);
      }
      const got = await client.ask('prompts/get', { name });
      expect(got.result).toMatchObject({ messages: [{ content: { text: name } }] });
      expect((await client.ask('prompts/get', { name, arguments: { fails: 'yes' } })).error).toMatchObject(refused);
      const ref = { type: 'ref/prompt', name };
      const completed = await client.ask('completion/complete', { ref, argument: { name: 'a', value: '' } });
      expect(completed.result).toMatchObject({ completion: { values: [name] } });
    });
  });
});
