// A caller with a redaction finds nothing by hidden content, with any search.
import { expect, it } from 'vitest';
import { describeEngines } from './places.ts';
import { type Agent, agentOf, agentOn } from './tool-agent.ts';
import { vconServer } from '@tidings/vcon';

const at = (day: number) => `2025-10-${String(day).padStart(2, '0')}T12:00:00Z`;
const said = (body: string) => ({ type: 'text', start: at(1), parties: [0], encoding: 'none', body });

async function subjects(agent: Pick<Agent, 'do'>, tool: string, args: Record<string, unknown>): Promise<string[]> {
  const { results } = await agent.do(tool, args);
  return Array.isArray(results) ? results.map(({ subject }) => subject) : [];
}

describeEngines('search under a redaction', (newPlace) => {
  it('shows no hidden text', async () => {
    await using agent = await agentOn(await newPlace(), { redact: 'contact-details' });
    const { uuid } = await agent.library.create({
      subject: 'Call of ann@example.com',
      parties: [{ name: 'Ann', tel: '+1 555 010 0199', mailto: 'ann@example.com' }],
      dialog: [said('Please call +1 555 010 0199 about my invoice, or write to ann@example.com.')],
      attachments: [
        { type: 'tags', encoding: 'json', body: ['tel:+15550100199', 'owner:ann@example.com', 'kind:call'] },
      ],
    });
    const answers = [
      await agent.call('search_vcons', { party: 'Ann' }),
      await agent.call('search_by_tags', { tags: { kind: 'call' } }),
      await agent.call('search_vcons_content', { query: 'invoice' }),
      await agent.call('get_vcon', { uuid }),
      await agent.call('get_vcon', { uuid, response_format: 'summary' }),
      await agent.call('get_vcon', { uuid, response_format: 'metadata' }),
      await agent.call('get_tags', { uuid }),
      await agent.call('get_unique_tags'),
    ];
    for (const { isError, text, value } of answers) {
      expect([isError, text]).toEqual([false, expect.not.stringMatching(/0199|ann@/)]);
      expect(JSON.stringify(value)).toBe(text);
    }
    const [, , byWords] = answers;
    expect(byWords?.value).toMatchObject({
      results: [
        {
          subject: 'Call of [redacted]',
          tags: { kind: 'call' },
          snippets: [{ text: expect.stringContaining('**invoice**') }],
        },
      ],
    });
  });

  it('finds nothing by hidden text', async () => {
    const place = await newPlace();
    await using open = await agentOn(place);
    const server = vconServer(open.library, { redact: 'contact-details' });
    const redacted = await agentOf(server);
    await open.do('create_vcon', {
      subject: 'Order of ann@example.com',
      parties: [{ name: 'Ann', tel: '+1 555 010 0199' }],
      dialog: [said('Please call +1 555 010 0199.')],
      attachments: [{ type: 'tags', encoding: 'json', body: ['owner:ann@example.com', 'bob@example.com:y'] }],
    });
    const searches: [string, Record<string, unknown>][] = [
      ['search_vcons', { subject: 'example.com' }],
      ['search_vcons', { party: '0100199' }],
      ['search_vcons_content', { query: '0199' }],
      ['search_vcons_content', { query: 'example' }],
      ['search_by_tags', { tags: { owner: 'ann@example.com' } }],
      ['get_unique_tags', { key: 'bob@example.com' }],
    ];
    for (const [tool, args] of searches) {
      expect([tool, args, await open.do(tool, args)]).toEqual([tool, args, expect.objectContaining({ count: 1 })]);
      expect([tool, args, await redacted.do(tool, args)]).toEqual([tool, args, expect.objectContaining({ count: 0 })]);
    }
    // Whether there is a next page does not depend on hidden matches.
    expect(await redacted.do('search_vcons', { party: '0100199', limit: 1 })).toMatchObject({
      has_more: false,
      next_cursor: null,
    });
    // Visible text finds it.
    for (const args of [{ subject: 'order of' }, { party: 'ann' }]) {
      expect(await redacted.do('search_vcons', args)).toMatchObject({ count: 1 });
    }
    expect(await redacted.call('search_vcons', { order_by: 'subject' })).toMatchObject({ code: 'PERMISSION_DENIED' });
    await redacted.client.close();
  });

  it('pages through visible matches as if hidden ones did not exist', async () => {
    const place = await newPlace();
    await using open = await agentOn(place);
    const redacted = await agentOf(vconServer(open.library, { redact: 'contact-details' }));
    const expected: string[] = [];
    for (let n = 1; n <= 28; n += 1) {
      // Only every fourth document has the word visibly.
      const isOpen = n % 4 === 0;
      const body = isOpen ? 'mail wanted' : 'mail to wanted@example.com';
      if (isOpen) expected.unshift(`s${n}`);
      await open.do('create_vcon', {
        subject: `s${n}`,
        created_at: at(n),
        dialog: [said(body)],
        parties: [{ name: isOpen ? 'wanted' : 'x', mailto: 'wanted@example.com' }],
      });
    }
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await redacted.do('search_vcons', {
        party: 'wanted',
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      });
      if (Array.isArray(page['results'])) seen.push(...page['results'].map(({ subject }) => subject));
      cursor = page['next_cursor'];
    } while (cursor !== null);
    expect(seen).toEqual(expected);
    expect(await subjects(redacted, 'search_vcons_content', { query: 'wanted', limit: 3 })).toEqual(
      expected.slice(0, 3),
    );
    expect(await subjects(redacted, 'search_vcons_content', { query: 'wanted', limit: 100 })).toEqual(expected);
    await redacted.client.close();
  });

  it('finds large documents, one after the other', async () => {
    await using agent = await agentOn(await newPlace(), { redact: 'contact-details' });
    for (let n = 1; n <= 3; n += 1) {
      const attachments = [
        { purpose: 'noise', start: at(1), party: 0, dialog: 0, encoding: 'none', body: '~'.repeat(6_000_000) },
      ];
      await agent.library.create({ subject: `large ${n}`, created_at: at(n), attachments });
    }
    expect(await subjects(agent, 'search_vcons_content', { query: 'large' })).toEqual([
      'large 3',
      'large 2',
      'large 1',
    ]);
  });

  it('checks the permission for each vCon', async () => {
    const place = await newPlace();
    const allowed = new Set<string>();
    await using agent = await agentOn(place, { authorize: (_, uri) => allowed.has(uri) });
    const made: string[] = [];
    for (let n = 1; n <= 6; n += 1) {
      const { uuid } = await agent.library.create({ subject: `word ${n}`, created_at: at(n) });
      made.push(uuid);
      if (n % 2 === 0) allowed.add(`vcon://v1/vcons/${uuid}`);
    }
    expect(await subjects(agent, 'search_vcons', { limit: 2 })).toEqual(['word 6', 'word 4']);
    expect(new Set(await subjects(agent, 'search_vcons_content', { query: 'word' }))).toEqual(
      new Set(['word 2', 'word 4', 'word 6']),
    );
    const denied: [string, Record<string, unknown>][] = [
      ['get_vcon', { uuid: made[0] }],
      ['get_tags', { uuid: made[0] }],
      ['update_vcon', { uuid: made[0], subject: 'x' }],
      ['delete_vcon', { uuid: made[0] }],
      ['add_party', { uuid: made[0], party: {} }],
      ['manage_tag', { uuid: made[0], action: 'set', key: 'a', value: 'b' }],
      ['create_vcon', { subject: 'x' }],
      ['get_unique_tags', {}],
    ];
    for (const [tool, args] of denied) {
      expect([tool, await agent.call(tool, args)]).toEqual([
        tool,
        expect.objectContaining({ code: 'PERMISSION_DENIED' }),
      ]);
    }
    expect(await agent.do('get_vcon', { uuid: made[1] })).toMatchObject({ vcon: { subject: 'word 2' } });
  });
});
