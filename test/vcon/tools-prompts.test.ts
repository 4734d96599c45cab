// Tools with their descriptions, and prompts with completion, in memory and over HTTP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveHttp } from '@tidings/live';
import { type Era, connectHttp } from '@tidings/live/testing';
import { openVcon } from '@tidings/vcon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentOn } from './tool-agent.ts';
import { base, supportCall } from './workbench.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-tools-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const entryNames = ['party', 'dialog', 'analysis', 'attachment'];
const names = [
  'create_vcon',
  'get_vcon',
  'update_vcon',
  'delete_vcon',
  ...entryNames.flatMap((each) => [`add_${each}`, `update_${each}`, `remove_${each}`]),
  'manage_tag',
  'get_tags',
  'remove_all_tags',
  'get_unique_tags',
  'search_vcons',
  'search_by_tags',
  'search_vcons_content',
  'search_vcons_semantic',
  'search_vcons_hybrid',
  'get_schema',
  'verify_vcon',
  'get_examples',
];

describe('tools', () => {
  it('describe their input, their output and their effects', async () => {
    await using agent = await agentOn(folder);
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(names.sort());
    for (const { name, title, outputSchema, annotations } of tools) {
      expect([name, title, outputSchema]).toEqual([
        name,
        expect.any(String),
        expect.objectContaining({ type: 'object' }),
      ]);
      const isReading = /^(?:get|search|verify)_/.test(name);
      expect([name, annotations?.readOnlyHint ?? false]).toEqual([name, isReading]);
      const isDestructive = /^(?:update|delete|remove|manage)_/.test(name);
      if (!isReading) expect([name, annotations?.destructiveHint]).toEqual([name, isDestructive]);
    }
    const addDialog = tools.find(({ name }) => name === 'add_dialog');
    expect(addDialog?.inputSchema.properties).toMatchObject({
      vcon_uuid: { type: 'string' },
      dialog: {
        type: 'object',
        properties: {
          type: { enum: expect.arrayContaining(['recording']) },
          body: { description: expect.any(String) },
        },
      },
    });
    // The size of the tool list, which every model has to read.
    expect(JSON.stringify(tools).length).toBeLessThan(42_000);
  });

  it.each<Era>(['modern', 'legacy'])('work over HTTP for clients of the %s era, and notify watchers', async (era) => {
    const server = await openVcon({ place: folder });
    const running = await serveHttp(server);
    const client = await connectHttp(running.url, era);
    try {
      const uri = `${base}/${supportCall.uuid}`;
      await client.subscribe(`${uri}/tags`, `${uri}/parties`);
      expect(JSON.parse(await client.call('create_vcon', supportCall))).toMatchObject({ created: true });
      await client.call('manage_tag', { vcon_uuid: supportCall.uuid, action: 'set', key: 'a', value: 'b' });
      expect(JSON.parse(await client.call('search_by_tags', { tags: { a: 'b' } }))).toMatchObject({ count: 1 });
      expect(JSON.parse(await client.read(`${uri}/tags`))).toMatchObject({ tags: { a: 'b' } });
    } finally {
      await client.close();
      await running.close();
      await server.close();
    }
  });
});

describe('prompts', () => {
  it.each([
    ['find_by_tags', { key: 'department', value: 'support' }, ['search_by_tags', '{"department":"support"}']],
    ['find_by_tags', { key: 'department' }, ['get_unique_tags', '"department"']],
    ['find_by_keywords', { keywords: 'late "parcel"' }, ['search_vcons_content', String.raw`"late \"parcel\""`]],
    ['find_by_meaning', { about: 'angry customers' }, ['search_vcons_semantic', 'angry customers']],
    ['recent_by_topic', { topic: 'refunds', days: '7' }, ['recent/ids', 'refunds', '7 days']],
    ['customer_history', { customer: '+1 555 0100' }, ['search_vcons', '+1 555 0100', 'asc']],
  ])('%s %j names the tools to use', async (name, args, parts) => {
    await using agent = await agentOn(folder);
    const { messages } = await agent.client.getPrompt({ name, arguments: args });
    const [message] = messages;
    const text = message?.content.type === 'text' ? message.content.text : '';
    for (const part of parts) expect(text).toContain(part);
    // Every named tool exists.
    const { tools } = await agent.client.listTools();
    for (const tool of text.match(/\b(?:search|get)_\w+/g) ?? [])
      expect(tools.map((each) => each.name)).toContain(tool);
  });

  it('suggest existing tags that the caller may see', async () => {
    const suggestions = async (redact?: string) => {
      await using agent = await agentOn(folder, { redact });
      const complete = async (name: string, value: string, chosen: Record<string, string> = {}) => {
        const argument = { name, value };
        const ref = { type: 'ref/prompt' as const, name: 'find_by_tags' };
        return (await agent.client.complete({ ref, argument, context: { arguments: chosen } })).completion.values;
      };
      return {
        keys: await complete('key', ''),
        begun: await complete('key', 'de'),
        values: await complete('value', '', { key: 'department' }),
        begunValues: await complete('value', 'su', { key: 'department' }),
        hidden: await complete('value', '+1', { key: 'tel' }),
        addresses: await complete('value', 'a', { key: 'owner' }),
      };
    };
    {
      await using agent = await agentOn(folder);
      const body = { department: 'support', tel: '+15550100199', owner: 'ann@example.com' };
      await agent.do('create_vcon', { attachments: [{ type: 'tags', encoding: 'json', body }] });
      await agent.do('create_vcon', {
        attachments: [{ type: 'tags', encoding: 'json', body: { department: 'sales' } }],
      });
    }
    expect(await suggestions()).toEqual({
      keys: ['department', 'owner', 'tel'],
      begun: ['department'],
      values: ['sales', 'support'],
      begunValues: ['support'],
      hidden: ['+15550100199'],
      addresses: ['ann@example.com'],
    });
    expect(await suggestions('contact-details')).toMatchObject({
      keys: ['department', 'owner'],
      hidden: [],
      addresses: [],
    });
  });
});
