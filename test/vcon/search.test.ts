// Searches on both engines by fields, tags and words, with order and pages.
import { expect, it } from 'vitest';
import { describeEngines } from './places.ts';
import { type Agent, agentOn } from './tool-agent.ts';
import { base, supportCall } from './workbench.ts';

async function found(agent: Agent, tool: string, args: Record<string, unknown> = {}): Promise<string[]> {
  const { results } = await agent.do(tool, args);
  return Array.isArray(results) ? results.map(({ subject, uuid }) => subject ?? uuid) : [];
}

const at = (day: number, time = '12:00:00Z') => `2025-10-${String(day).padStart(2, '0')}T${time}`;
const said = (body: unknown) => ({ type: 'text', start: at(1), parties: [0], encoding: 'none', body });
const tagged = (body: unknown) => ({ type: 'tags', encoding: 'json', body });

describeEngines('search', (newPlace) => {
  it('finds by part of the subject, ignoring case and accents', async () => {
    await using agent = await agentOn(await newPlace());
    const subjects = ['Überweisung 50%', 'uberfahrt', 'A_B', 'AxB'];
    for (const [day, subject] of subjects.entries())
      await agent.do('create_vcon', { created_at: at(day + 1), subject });
    expect(await found(agent, 'search_vcons', { subject: 'UBER' })).toEqual(['uberfahrt', 'Überweisung 50%']);
    // Wildcards and SQL have no special meaning.
    expect(await found(agent, 'search_vcons', { subject: '50%' })).toEqual(['Überweisung 50%']);
    expect(await found(agent, 'search_vcons', { subject: 'a_b' })).toEqual(['A_B']);
    expect(await found(agent, 'search_vcons', { subject: "' or 1=1 --" })).toEqual([]);
    expect(await found(agent, 'search_vcons', { subject: 'x'.repeat(60_000) })).toEqual([]);
  });

  it('finds by name, address or number of a party, with any formatting of the number', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', {
      subject: 'one',
      created_at: at(1),
      parties: [{ name: 'Zoë Ångström' }, { tel: 'tel:+1 (555) 010-0199' }],
    });
    await agent.do('create_vcon', { subject: 'two', created_at: at(2), parties: [{ mailto: 'zoe@example.com' }] });
    expect(await found(agent, 'search_vcons', { party: 'zoe' })).toEqual(['two', 'one']);
    expect(await found(agent, 'search_vcons', { party: 'ANGSTROM' })).toEqual(['one']);
    expect(await found(agent, 'search_vcons', { party: '555-010' })).toEqual(['one']);
    expect(await found(agent, 'search_vcons', { party: '+15550100199' })).toEqual(['one']);
    expect(await found(agent, 'search_vcons', { party: '@example' })).toEqual(['two']);
  });

  it('finds by dates: instants with any offset; a day as end date is included', async () => {
    await using agent = await agentOn(await newPlace());
    const times = {
      a: at(1, '23:59:59.999999Z'),
      b: at(2, '01:00:00+02:00'),
      c: at(2, '00:00:00Z'),
      d: at(3, '00:00:00Z'),
    };
    for (const [subject, created_at] of Object.entries(times)) await agent.do('create_vcon', { subject, created_at });
    expect(await found(agent, 'search_vcons')).toEqual(['d', 'c', 'a', 'b']);
    expect(await found(agent, 'search_vcons', { start_date: '2025-10-02', end_date: '2025-10-02' })).toEqual(['c']);
    expect(await found(agent, 'search_vcons', { end_date: '2025-10-01' })).toEqual(['a', 'b']);
    expect(await found(agent, 'search_vcons', { start_date: '2025-10-02T00:00:00Z' })).toEqual(['d', 'c']);
    const { code, text } = await agent.call('search_vcons', { start_date: 'yesterday' });
    expect([code, text]).toEqual(['INVALID_PARAMS', expect.stringContaining('start_date')]);
  });

  it('finds by tags, all of which are required, and by all criteria together', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', { subject: 'list', created_at: at(1), attachments: [tagged(['a:1', 'b:x:y'])] });
    await agent.do('create_vcon', { subject: 'object', created_at: at(2), attachments: [tagged({ a: 1, c: true })] });
    await agent.do('create_vcon', {
      subject: 'text',
      created_at: at(3),
      attachments: [{ ...tagged('["a:2"]'), type: undefined, purpose: 'tags' }],
    });
    expect(await found(agent, 'search_by_tags', { tags: { a: '1' } })).toEqual(['object', 'list']);
    expect(await found(agent, 'search_by_tags', { tags: { a: 1, b: 'x:y' } })).toEqual(['list']);
    expect(await found(agent, 'search_by_tags', { tags: { c: true } })).toEqual(['object']);
    expect(await found(agent, 'search_by_tags', { tags: { a: '2' } })).toEqual(['text']);
    expect(await found(agent, 'search_by_tags', { tags: { a: 'x' } })).toEqual([]);
    const all = { tags: { a: '1' }, subject: 'L', start_date: '2025-10-01', end_date: '2025-10-01' };
    expect(await found(agent, 'search_vcons', all)).toEqual(['list']);
    const { results } = await agent.do('search_by_tags', { tags: { b: 'x:y' } });
    expect(results).toMatchObject([{ tags: { a: '1', b: 'x:y' }, resource: expect.stringContaining(base) }]);
  });

  it('reaches every vCon once, page by page, in every order, including equal values', async () => {
    await using agent = await agentOn(await newPlace());
    const made: { uuid: unknown; created: string; subject: string }[] = [];
    for (let n = 0; n < 23; n += 1) {
      const [created, subject] = [
        at(1 + (n % 3)),
        `${'é'.repeat(150)} ${String.fromCodePoint(98 + (n % 4))}`.slice(n % 2 ? 148 : 0),
      ];
      const { uuid } = await agent.do('create_vcon', { created_at: created, subject });
      made.push({ uuid, created, subject });
    }
    for (const order_by of ['created_at', 'subject']) {
      const orders: Record<string, unknown[]> = {};
      for (const order of ['asc', 'desc']) {
        const seen: { uuid: unknown; created_at: string; subject: string }[] = [];
        let cursor: unknown;
        do {
          const page = await agent.do('search_vcons', {
            order_by,
            order,
            limit: 4,
            ...(cursor !== undefined && { cursor }),
          });
          if (Array.isArray(page['results'])) seen.push(...page['results']);
          expect(page['has_more']).toBe(page['next_cursor'] !== null);
          cursor = page['next_cursor'];
        } while (cursor !== null);
        expect(new Set(seen.map(({ uuid }) => uuid))).toEqual(new Set(made.map(({ uuid }) => uuid)));
        expect(seen.length).toBe(made.length);
        orders[order] = seen.map(({ uuid }) => uuid);
        const times = seen.map(({ created_at }) => created_at);
        if (order_by === 'created_at')
          expect(times).toEqual(order === 'asc' ? times.toSorted() : times.toSorted().toReversed());
      }
      expect(orders['asc']).toEqual(orders['desc']?.toReversed());
    }
    const subjects = await found(agent, 'search_vcons', { order_by: 'subject', limit: 100 });
    expect(subjects.slice(0, 3)).toEqual(['éé c', 'éé c', 'éé c']);
  });

  it('refuses an invalid cursor, and one of another order', async () => {
    await using agent = await agentOn(await newPlace());
    for (const [day, subject] of ['a', 'b'].entries())
      await agent.do('create_vcon', { created_at: at(day + 1), subject });
    const { next_cursor: cursor } = await agent.do('search_vcons', { limit: 1 });
    for (const args of [
      { cursor: 'x' },
      { cursor: 'W10' },
      { cursor, order: 'asc' },
      { cursor, order_by: 'subject' },
    ]) {
      expect(await agent.call('search_vcons', args)).toMatchObject({
        code: 'INVALID_PARAMS',
        text: expect.stringContaining('next_cursor'),
      });
    }
    expect(await found(agent, 'search_vcons', { cursor })).toEqual(['a']);
  });

  it('finds words in subject, dialog, transcripts and summaries, the best match first', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', { ...supportCall, subject: 'A call' });
    await agent.do('create_vcon', { subject: 'Account account', dialog: [said('account '.repeat(20))] });
    await agent.do('create_vcon', {
      subject: 'Else',
      dialog: [said('nothing of it')],
      analysis: [{ type: 'report', vendor: 'v', encoding: 'json', body: { deep: ['Refund ÜBER all'] } }],
    });
    const { results, links } = await agent
      .call('search_vcons_content', { query: 'ACCOUNT' })
      .then(({ value, links }) => ({ results: value['results'], links }));
    expect(results).toMatchObject([
      {
        subject: 'Account account',
        score: expect.any(Number),
        snippets: [{ where: 'subject', text: '**Account** **account**' }, { where: 'dialog/0' }],
      },
      {
        subject: 'A call',
        snippets: [
          { where: 'dialog/1', text: 'I need help with my **account**.' },
          { where: 'analysis/1', text: 'Customer inquired about **account** access.' },
        ],
      },
    ]);
    expect(links).toHaveLength(2);
    const find = (query: string) => found(agent, 'search_vcons_content', { query });
    expect(await find('uber refund')).toEqual(['Else']);
    // All words are required; for the last one its beginning is enough.
    expect(await find('account nothing')).toEqual([]);
    expect(await find('inquired acc')).toEqual(['A call']);
    expect(await find('acc inquired')).toEqual([]);
    // Operators have no special meaning.
    expect(await find('account OR nothing')).toEqual([]);
    expect(await find('"account" -inquired* (help:NEAR) & | !')).toEqual([]);
    expect(await find("inquired' & account:*")).toEqual(['A call']);
    expect(await agent.call('search_vcons_content', { query: ' *"!' })).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('finds words in scripts without spaces, with snippets', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', {
      subject: 'jp',
      dialog: [said(`${'あ'.repeat(200)}明日は東京都庁へ行きます。${'い'.repeat(200)}`)],
    });
    await agent.do('create_vcon', { subject: 'kyoto', dialog: [said('京都と東北')] });
    expect(await found(agent, 'search_vcons_content', { query: '東京' })).toEqual(['jp']);
    const { results } = await agent.do('search_vcons_content', { query: '東京' });
    expect(results).toMatchObject([{ snippets: [{ text: expect.stringMatching(/^…あ.*は\*\*東京\*\*都庁.*い…$/) }] }]);
  });

  it('stores documents with more words and tags than an engine accepts in one statement', async () => {
    await using agent = await agentOn(await newPlace());
    // Two neighbouring characters are indexed as a word, so these are 350,000 different ones.
    const signs = Array.from({ length: 350_000 }, (_, n) => 0x4e_00 + ((n * n + 7919 * n) % 20_011));
    const tags = Object.fromEntries(Array.from({ length: 22_000 }, (_, n) => [`key${n}`, `value${n}`]));
    await agent.do('create_vcon', {
      subject: 'large',
      dialog: [said(`first ${signs.map((sign) => String.fromCodePoint(sign)).join('')}`)],
      attachments: [tagged(tags)],
    });
    expect(await found(agent, 'search_vcons_content', { query: 'first' })).toEqual(['large']);
    expect(await found(agent, 'search_by_tags', { tags: { key21999: 'value21999' } })).toEqual(['large']);
  });

  it('follows every change, and does not find deleted vCons', async () => {
    await using agent = await agentOn(await newPlace());
    const { uuid } = await agent.do('create_vcon', {
      subject: 'old words',
      attachments: [tagged(['k:v'])],
      parties: [{ name: 'Ann' }],
    });
    await agent.do('update_vcon', { uuid, subject: 'new text' });
    await agent.do('add_dialog', { uuid, dialog: said('spoken') });
    await agent.do('update_party', { uuid, index: 0, party: { name: 'Bob' } });
    await agent.do('manage_tag', { uuid, action: 'set', key: 'k', value: 'w' });
    for (const query of ['old', 'words']) expect(await found(agent, 'search_vcons_content', { query })).toEqual([]);
    for (const query of ['new', 'spoken'])
      expect(await found(agent, 'search_vcons_content', { query })).toEqual(['new text']);
    expect(await found(agent, 'search_vcons', { party: 'ann' })).toEqual([]);
    expect(await found(agent, 'search_vcons', { party: 'bob', subject: 'text', tags: { k: 'w' } })).toEqual([
      'new text',
    ]);
    expect(await found(agent, 'search_by_tags', { tags: { k: 'v' } })).toEqual([]);
    await agent.do('delete_vcon', { uuid });
    expect(await found(agent, 'search_vcons_content', { query: 'spoken' })).toEqual([]);
    expect(await found(agent, 'search_by_tags', { tags: { k: 'w' } })).toEqual([]);
    expect(await agent.do('get_unique_tags')).toEqual({ count: 0, tags: [] });
  });
});
