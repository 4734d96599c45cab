// Responses that the protocol does not allow, through the hub. The valid items of a list are offered; for any other
// response, the error names the server.
import { type Era, eventually } from '@tidings/live/testing';
import { openTracker } from '@tidings/track';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Script, ScriptedError, ScriptedUpstream } from '../support/wire/scripted-upstream.ts';
import { WireClient } from '../support/wire/wire-client.ts';
import { runningHub } from './running-hub.ts';

const eras = ['modern', 'legacy'] as const;
const inputSchema = { type: 'object' };

const pages: Record<string, Record<string, unknown>> = {
  'tools/list': { tools: [{ name: 5, inputSchema }, null, { name: 'good', inputSchema }, { name: 'no schema' }] },
  'prompts/list': { prompts: [{ name: 'good' }, { title: 'no name' }] },
  'resources/list': { resources: [{ uri: 'odd://good', name: 'good' }, { name: 'no URI' }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'odd://{id}', name: 'good' }, { uriTemplate: 7 }] },
};

const answers: Record<string, Record<string, unknown>> = {
  'tools/call': { content: 'no list' },
  'prompts/get': { messages: 'no list' },
  'resources/read': { contents: 'no list' },
  'completion/complete': { completion: { values: Array.from({ length: 101 }, () => 'too many') } },
};

function scriptOf(era: Era): Script {
  return {
    serverInfo: { name: 'odd', version: '1' },
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    answer: (method) => {
      const page = pages[method] ?? answers[method];
      if (page === undefined) throw new ScriptedError(-32601, 'Method not found');
      return era === 'modern' ? { ...page, ttlMs: 0, cacheScope: 'private' } : page;
    },
  };
}

describe.each(eras)('a %s server', (era) => {
  it('with an invalid item in each list offers the others, and its detail names the invalid ones', async () => {
    await using upstream = await ScriptedUpstream.start(era, scriptOf(era));
    await using hub = await runningHub({ servers: [upstream.entry('odd')] });
    await hub.isLive('odd');
    for (const clientEra of eras) {
      await using client = await WireClient.http(`${hub.url}/mcp/odd`, clientEra);
      expect((await client.ask('tools/list')).result).toMatchObject({ tools: [{ name: 'good' }] });
      expect((await client.ask('prompts/list')).result).toMatchObject({ prompts: [{ name: 'good' }] });
      expect((await client.ask('resources/list')).result).toMatchObject({ resources: [{ uri: 'odd://good' }] });
      const templates = await client.ask('resources/templates/list');
      expect(templates.result).toMatchObject({ resourceTemplates: [{ uriTemplate: 'odd://{id}' }] });
    }
    expect(hub.status('odd')?.detail).toContain('3 of its tools cannot be used: name is not valid');
  });

  it.each(eras)('with invalid responses is named in the error, for a %s client', async (clientEra) => {
    await using upstream = await ScriptedUpstream.start(era, scriptOf(era));
    await using hub = await runningHub({ servers: [upstream.entry('odd')] });
    await hub.isLive('odd');
    // On the shared session, and on the caller's own session.
    for (const capabilities of [{}, { elicitation: { form: {} } }]) {
      await using client = await WireClient.http(`${hub.url}/mcp/odd`, clientEra, { capabilities });
      const named = /The server \\"odd\\" is not available: .*nvalid/;
      const argument = { name: 'a', value: '' };
      for (const [method, params] of [
        ['tools/call', { name: 'good', arguments: {} }],
        ['prompts/get', { name: 'good' }],
        ['resources/read', { uri: 'odd://good' }],
        ['completion/complete', { ref: { type: 'ref/prompt', name: 'good' }, argument }],
      ] as const) {
        const answer = await client.ask(method, { ...params });
        expect.soft(JSON.stringify(answer), method).toMatch(named);
        expect.soft(JSON.stringify(answer), method).toContain('UNAVAILABLE');
      }
    }
  });

  it('whose list of tools becomes invalid is logged', async () => {
    const script = scriptOf(era);
    let isList = true;
    const answer: Script['answer'] = (method, params) => ({
      ...script.answer(method, params),
      ...(method === 'tools/list' && !isList && { tools: 'no list' }),
    });
    await using upstream = await ScriptedUpstream.start(era, { ...script, answer });
    const unread: unknown[] = [];
    const silent = () => undefined;
    const warn = (fields: object) => void ('list' in fields && unread.push(fields.list));
    const log = { debug: silent, info: silent, error: silent, warn };
    const tracker = await openTracker({ config: { servers: [upstream.entry('odd')], tokens: [] }, log });
    onTestFinished(() => tracker.close());
    const { definitions } = tracker.upstream('odd');
    definitions.follow(silent);
    await eventually('the list', () => definitions.offered('tools').length === 1);
    isList = false;
    definitions.changed('tools');
    await eventually('the warning', () => unread.includes('tools'));
  });
});
