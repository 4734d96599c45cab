// Searches with the arguments of vcon-mcp, alone and combined; none of them finds content that a redaction hides.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vconServer } from '@tidings/vcon';
import { afterAll, describe, expect, it } from 'vitest';
import { describeEngines } from './places.ts';
import { type Agent, agentOf, agentOn } from './tool-agent.ts';
import { base, supportCall } from './workbench.ts';

const at = (day: number) => `2025-10-${String(day).padStart(2, '0')}T12:00:00Z`;
const said = (body: string) => ({ type: 'text', start: at(1), parties: [0], encoding: 'none', body });
const tagged = (...body: string[]) => ({ type: 'tags', encoding: 'json', body });

type Desk = Pick<Agent, 'do' | 'call'>;

async function subjects(agent: Desk, tool: string, args: Record<string, unknown>): Promise<unknown[]> {
  const { results } = await agent.do(tool, args);
  return Array.isArray(results) ? results.map(({ subject }) => subject) : [];
}

async function fill(agent: Desk): Promise<void> {
  await agent.do('create_vcon', {
    subject: 'one',
    created_at: at(1),
    parties: [{ name: 'Ann Lee', mailto: 'office@example.com', tel: '+1 (555) 010-0199' }, { name: 'Bob' }],
    dialog: [said('a red invoice')],
    attachments: [tagged('team:sales')],
  });
  await agent.do('create_vcon', {
    subject: 'two',
    created_at: at(2),
    parties: [{ name: 'Office', mailto: 'ann@example.com' }],
    dialog: [said('a red invoice, a red letter')],
    attachments: [tagged('team:support')],
  });
  await agent.do('create_vcon', {
    subject: 'three',
    created_at: at(3),
    parties: [{ name: 'Ann Lee' }, { mailto: 'bob@example.com' }],
    dialog: [said('a blue letter')],
    attachments: [tagged('team:sales')],
  });
}

describeEngines('arguments of vcon-mcp', (newPlace) => {
  it('find a party by one field, or by several fields of the same party', async () => {
    await using agent = await agentOn(await newPlace());
    await fill(agent);
    const found = (args: Record<string, unknown>) => subjects(agent, 'search_vcons', args);
    expect(await found({ party_name: 'ann' })).toEqual(['three', 'one']);
    expect(await found({ party_email: 'ANN@' })).toEqual(['two']);
    expect(await found({ party_email: 'ann@', limit: 1 })).toEqual(['two']);
    expect(await found({ party_tel: '5550100199' })).toEqual(['one']);
    expect(await found({ party_tel: '555-010' })).toEqual(['one']);
    expect(await found({ party_name: 'ann', party_email: 'office' })).toEqual(['one']);
    // Two parties that match one field each are not enough.
    expect(await found({ party_name: 'ann', party_email: 'bob' })).toEqual([]);
    expect(await subjects(agent, 'search_vcons_content', { query: 'letter', party_name: 'ann' })).toEqual(['three']);
  });

  it('find every match of a field, page by page', async () => {
    await using agent = await agentOn(await newPlace());
    for (let n = 1; n <= 28; n += 1) {
      const party = n % 3 === 0 ? { name: 'wanted' } : { mailto: 'wanted@example.com' };
      await agent.library.create({ subject: `s${n}`, created_at: at(n), parties: [party] });
    }
    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const args = { party_name: 'wanted', limit: 2, include_count: true };
      const page = await agent.do('search_vcons', cursor === undefined ? args : { ...args, cursor });
      expect(page['total_count']).toBe(9);
      if (Array.isArray(page['results'])) seen.push(...page['results'].map(({ subject }) => subject));
      cursor = page['next_cursor'];
    } while (typeof cursor === 'string');
    expect(seen).toEqual(['s27', 's24', 's21', 's18', 's15', 's12', 's9', 's6', 's3']);
  });

  it('combine words with tags and dates in one search', async () => {
    await using agent = await agentOn(await newPlace());
    await fill(agent);
    for (const tool of ['search_vcons_content', 'search_vcons_hybrid', 'search_vcons']) {
      const found = (args: Record<string, unknown>) => subjects(agent, tool, { query: 'red', ...args });
      expect(new Set(await found({}))).toEqual(new Set(['one', 'two']));
      expect(await found({ tags: { team: 'sales' } })).toEqual(['one']);
      expect(await found({ start_date: '2025-10-02' })).toEqual(['two']);
      expect(await found({ end_date: '2025-10-01', tags: { team: 'support' } })).toEqual([]);
      expect(await found({ end_date: '2025-10-02', tags: { team: 'support' }, subject: 'TW' })).toEqual(['two']);
    }
  });

  it('return the requested parts of each, and the total number', async () => {
    await using agent = await agentOn(await newPlace());
    const { uuid } = await agent.do('create_vcon', supportCall);
    await fill(agent);
    for (const [tool, args] of [
      ['search_vcons', { subject: 'support' }],
      ['search_vcons_content', { query: 'account' }],
      ['search_by_tags', { tags: { department: 'support' } }],
      ['search_vcons_hybrid', { query: 'account' }],
    ] as const) {
      const as = (response_format: string) => agent.do(tool, { ...args, response_format });
      expect(await as('ids_only')).toMatchObject({ results: [uuid] });
      const counts = { parties_count: 2, dialog_count: 2, analysis_count: 3, attachments_count: 2 };
      expect(await as('metadata')).toMatchObject({ results: [{ uuid, subject: supportCall.subject, ...counts }] });
      expect(await as('full')).toMatchObject({ results: [{ uuid, vcon: supportCall }] });
      expect(await as('snippets')).toMatchObject({ results: [{ uuid, resource: `${base}/${String(uuid)}` }] });
    }
    expect(await agent.do('search_vcons', { limit: 1, include_count: true })).toMatchObject({
      count: 1,
      total_count: 4,
    });
    expect(
      await agent.do('search_vcons_content', { query: 'red', limit: 1, include_count: true, end_date: '2025-10-02' }),
    ).toMatchObject({ count: 1, total_count: 2 });
    const full = { tags: { team: 'sales' }, return_full_vcons: true, max_full_vcons: 1, include_count: true };
    const { results, total_count } = await agent.do('search_by_tags', full);
    expect(total_count).toBe(2);
    expect(results).toEqual([
      expect.objectContaining({ vcon: expect.objectContaining({ subject: 'three' }) }),
      expect.not.objectContaining({ vcon: expect.anything() }),
    ]);
  });

  it('find nothing that a redaction hides', async () => {
    await using open = await agentOn(await newPlace());
    const redacted = await agentOf(vconServer(open.library, { redact: 'contact-details' }));
    await fill(open);
    await open.do('create_vcon', {
      subject: 'Ann <ann@example.com>',
      created_at: at(4),
      parties: [{ name: 'Call +1 555 010 0199' }],
      dialog: [said('red: +1 555 010 0199')],
      attachments: [tagged('owner:ann@example.com', 'tel:+15550100199')],
    });
    const hidden: [string, Record<string, unknown>][] = [
      ['search_vcons', { party_email: 'example.com' }],
      ['search_vcons', { party_tel: '5550100199' }],
      ['search_vcons', { party_name: '0199' }],
      ['search_vcons', { query: '0199' }],
      ['search_vcons_content', { query: 'red', party_email: 'example.com' }],
      ['search_vcons_content', { query: 'red', tags: { owner: 'ann@example.com' } }],
      ['search_vcons_content', { query: 'red', subject: 'example.com' }],
      ['search_vcons_hybrid', { query: 'red', party_tel: '5550100199' }],
      ['search_by_tags', { tags: { tel: '+15550100199' } }],
    ];
    for (const [tool, args] of hidden) {
      const counted = { ...args, include_count: true };
      expect([tool, args, await open.do(tool, counted)]).not.toEqual([
        tool,
        args,
        expect.objectContaining({ count: 0 }),
      ]);
      const none = expect.objectContaining({ count: 0, total_count: 0 });
      expect([tool, args, await redacted.do(tool, counted)]).toEqual([tool, args, none]);
    }
    const shown = [
      await redacted.call('search_vcons', { response_format: 'full', include_count: true }),
      await redacted.call('search_vcons', { response_format: 'metadata' }),
      await redacted.call('search_vcons_content', { query: 'red', response_format: 'full', party_name: 'ann' }),
      await redacted.call('search_by_tags', { tags: { team: 'sales' }, return_full_vcons: true }),
    ];
    for (const { isError, text } of shown)
      expect([isError, text]).toEqual([false, expect.not.stringMatching(/0199|@/)]);
    expect(shown[0]?.value).toMatchObject({ total_count: 4 });
    expect(await subjects(redacted, 'search_vcons', { party_name: 'ann lee' })).toEqual(['three', 'one']);
    await redacted.client.close();
  });
});

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-vcon-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe('tools', () => {
  it('search by words if there is no embeddings endpoint, and say so', async () => {
    await using agent = await agentOn(newFolder());
    await fill(agent);
    expect(await agent.do('search_vcons_hybrid', { query: 'red', embedding: [1, 2] })).toMatchObject({
      count: 2,
      searched_by: 'words',
      note: expect.stringContaining('TIDINGS_EMBED_URL'),
    });
  });

  it('show the format, with examples that can be created unchanged', async () => {
    await using agent = await agentOn(newFolder());
    const { schema } = await agent.do('get_schema');
    expect(schema).toMatchObject({ type: 'object', properties: { uuid: {}, parties: { type: 'array' } } });
    const { schema: types } = await agent.do('get_schema', { format: 'typescript', version: 'latest' });
    expect(types).toContain('created_at: string;');
    for (const example_type of ['minimal', 'phone_call', 'chat', 'email', 'video', 'full_featured']) {
      const { example } = await agent.do('get_examples', { example_type });
      expect(await agent.do('create_vcon', Object(example))).toMatchObject({ created: true, warnings: [] });
    }
  });

  it('filter tags as in vcon-mcp', async () => {
    await using agent = await agentOn(newFolder());
    await fill(agent);
    expect(await agent.do('get_unique_tags', { key_filter: 'EA', min_count: 2, include_counts: true })).toMatchObject({
      tags: [{ key: 'team', values: [{ value: 'sales', count: 2 }] }],
    });
    expect(await agent.do('get_unique_tags', { key_filter: 'x' })).toMatchObject({ count: 0 });
  });

  it('refuse an argument that resembles one of theirs, and name that one', async () => {
    await using agent = await agentOn(newFolder());
    const { uuid } = await agent.do('create_vcon', supportCall);
    const { tools } = await agent.client.listTools();
    expect(tools.length).toBeGreaterThan(25);
    for (const { name, inputSchema } of tools) {
      const [argument = ''] = Object.keys(inputSchema.properties ?? {}).slice(-1);
      const misspelt = `${argument.slice(0, -1)}x${argument.slice(-1)}`;
      const { isError, text } = await agent.call(name, {
        ...(name !== 'create_vcon' && { uuid }),
        [misspelt]: 'x',
        subject: 'x',
      });
      expect([name, isError, text]).toEqual([name, true, expect.stringMatching(/did you mean|it takes/i)]);
      expect([name, text]).toEqual([name, expect.stringContaining(argument)]);
    }
    expect(await agent.json(`${base}/${String(uuid)}`)).toEqual(supportCall);
  });
});
