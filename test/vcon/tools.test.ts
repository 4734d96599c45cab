// The tools with good and bad input of an agent, on both engines.
import { expect, it } from 'vitest';
import { describeEngines } from './places.ts';
import { agentOn } from './tool-agent.ts';
import { base, supportCall } from './workbench.ts';

const { uuid } = supportCall;
const uri = `${base}/${uuid}`;

describeEngines('tools', (newPlace) => {
  it('creates a vCon from given fields, and keeps all of them', async () => {
    await using agent = await agentOn(await newPlace());
    const odd = { ...supportCall, 'x-unknown': { deep: [1, { two: null }] }, must_support: [] };
    const { value, links } = await agent.call('create_vcon', odd);
    expect(value).toMatchObject({ success: true, uuid, created: true, resource: uri });
    expect(value['warnings']).toContainEqual(expect.stringContaining('encoding'));
    expect(links).toEqual([uri]);
    expect(await agent.json(uri)).toEqual(odd);
  });

  it('accepts a vCon under vcon_data too', async () => {
    await using agent = await agentOn(await newPlace());
    const { resource } = await agent.do('create_vcon', { vcon_data: supportCall });
    expect(resource).toBe(uri);
    expect(await agent.json(uri)).toMatchObject(supportCall);
  });

  it('generates a missing uuid and created_at, a new uuid each time', async () => {
    await using agent = await agentOn(await newPlace());
    const [a, b] = [await agent.do('create_vcon', { subject: 'x' }), await agent.do('create_vcon', { subject: 'x' })];
    expect(a['uuid']).not.toBe(b['uuid']);
    expect(await agent.json(String(a['resource']))).toEqual({
      uuid: a['uuid'],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      vcon: '0.4.0',
      subject: 'x',
    });
  });

  it('creates the same vCon once, and refuses a different one with its uuid', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', supportCall);
    expect(await agent.do('create_vcon', supportCall)).toMatchObject({ created: false, uuid });
    const { code, text } = await agent.call('create_vcon', { ...supportCall, subject: 'other' });
    expect([code, text]).toEqual(['INVALID_PARAMS', expect.stringContaining('update_vcon')]);
    expect(await agent.json(uri)).toEqual(supportCall);
  });

  it('returns a vCon in full, as a summary, or without its content', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', supportCall);
    const full = await agent.do('get_vcon', { uuid });
    expect(full).toEqual({ uuid, response_format: 'full', vcon: supportCall });
    const { parties, dialog: _, analysis: __, attachments: ___, ...head } = supportCall;
    expect((await agent.do('get_vcon', { uuid, response_format: 'metadata' }))['vcon']).toEqual(head);
    expect((await agent.do('get_vcon', { vcon_uuid: uuid.toUpperCase(), response_format: 'summary' }))['vcon']).toEqual(
      {
        ...head,
        parties,
        dialog: { count: 2, types: { text: 2 } },
        analysis: { count: 3, types: { sentiment: 1, summary: 1, transcript: 1 } },
        attachments: { count: 2, types: { tags: 1, document: 1 } },
        tags: { department: 'support', priority: 'high' },
        summaries: ['Customer inquired about account access.'],
      },
    );
  });

  it('counts entries of any type in the summary', async () => {
    await using agent = await agentOn(await newPlace());
    const analysis = ['constructor', '__proto__', 'constructor'].map((type) => ({ type, vendor: 'x', body: 'y' }));
    await agent.do('create_vcon', { uuid, analysis });
    const { text } = await agent.call('get_vcon', { uuid, response_format: 'summary' });
    expect(JSON.parse(text).vcon.analysis).toEqual({ count: 3, types: JSON.parse('{"constructor":2,"__proto__":1}') });
  });

  it('updates fields given directly or under "updates"; null removes one', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', { ...supportCall, extra: 1 });
    await agent.do('update_vcon', { uuid, subject: 'One', extra: null });
    await agent.do('update_vcon', { vcon_uuid: uuid, updates: { more: ['two'] } });
    const { updated_at: before, ...rest } = supportCall;
    const now = Object(await agent.json(uri));
    expect(now).toEqual({ ...rest, subject: 'One', more: ['two'], updated_at: expect.any(String) });
    expect(now.updated_at).not.toBe(before);
  });

  it('deletes a vCon once', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', supportCall);
    expect(await agent.do('delete_vcon', { uuid })).toEqual({ success: true, uuid });
    expect(await agent.call('delete_vcon', { uuid })).toMatchObject({ isError: true, code: 'RESOURCE_NOT_FOUND' });
    await expect(agent.json(uri)).rejects.toThrow('no vCon');
  });

  it.each([
    ['party', 'parties', { name: 'Eve' }, { name: 'Eve', tel: '+15550100' }],
    ['dialog', 'dialog', { type: 'text', body: 'a' }, { type: 'text', body: 'a', tel: '+15550100' }],
    ['analysis', 'analysis', { type: 'report', vendor: 'v' }, { type: 'report', vendor: 'v', tel: '+15550100' }],
    ['attachment', 'attachments', { purpose: 'p' }, { purpose: 'p', tel: '+15550100' }],
  ] as const)('adds, updates and removes one %s', async (name, array, entry, updated) => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', supportCall);
    const there: readonly unknown[] = supportCall[array];
    const index = there.length;
    const added = await agent.call(`add_${name}`, { vcon_uuid: uuid, [name]: entry });
    expect(added.value).toMatchObject({ success: true, uuid, index, count: index + 1 });
    expect(added.links[0]).toBe(uri);
    // The linked resources can be read.
    for (const link of added.links) await agent.json(link);
    expect(await agent.json(`${uri}/${array}`)).toEqual({ [array]: [...there, entry] });

    await agent.do(`update_${name}`, { uuid, index, [name]: { tel: '+15550100', nothing: null } });
    expect(await agent.json(`${uri}/${array}`)).toEqual({ [array]: [...there, updated] });

    // The last entry, then the first: parties and dialogs, which are referred to by index, keep their places.
    await agent.do(`remove_${name}`, { vcon_uuid: uuid, index });
    await agent.do(`remove_${name}`, { vcon_uuid: uuid, index: 0 });
    const keeps = array === 'parties' || array === 'dialog';
    const left = keeps ? [{}, ...there.slice(1), {}] : there.slice(1);
    expect(await agent.json(`${uri}/${array}`)).toEqual({ [array]: left });
  });

  it('sets and removes tags', async () => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', supportCall);
    const tags = async () => (await agent.do('get_tags', { uuid }))['tags'];
    await agent.do('manage_tag', { vcon_uuid: uuid, action: 'set', key: 'priority', value: 'low: really' });
    await agent.do('manage_tag', { vcon_uuid: uuid, action: 'set', key: 'count', value: 3 });
    expect(await tags()).toEqual({ department: 'support', priority: 'low: really', count: '3' });
    expect(await agent.json(`${uri}/tags`)).toEqual({ tags: await tags() });
    expect(await agent.do('manage_tag', { uuid, action: 'remove', key: 'count' })).toMatchObject({ changed: true });
    expect(await agent.do('manage_tag', { uuid, action: 'remove', key: 'count' })).toMatchObject({ changed: false });
    await agent.do('remove_all_tags', { uuid });
    expect(await tags()).toEqual({});
    expect(await agent.do('remove_all_tags', { uuid })).toMatchObject({ changed: false });
    // The other attachment is unchanged.
    expect(await agent.json(`${uri}/attachments`)).toMatchObject({
      attachments: [{ type: 'tags' }, { type: 'document' }],
    });
  });

  it('counts vCons by tag', async () => {
    await using agent = await agentOn(await newPlace());
    for (const [department, customer] of [
      ['support', 'a'],
      ['support', 'b'],
      ['sales', 'c'],
    ]) {
      const body = { department, customer };
      await agent.do('create_vcon', { attachments: [{ type: 'tags', encoding: 'json', body }] });
    }
    expect(await agent.do('get_unique_tags', { limit: 2 })).toEqual({
      count: 2,
      tags: [
        {
          key: 'customer',
          distinct_values: 3,
          values: [
            { value: 'a', count: 1 },
            { value: 'b', count: 1 },
          ],
        },
        {
          key: 'department',
          distinct_values: 2,
          values: [
            { value: 'support', count: 2 },
            { value: 'sales', count: 1 },
          ],
        },
      ],
    });
    expect(await agent.do('get_unique_tags', { key: 'customer' })).toMatchObject({
      count: 1,
      tags: [{ key: 'customer' }],
    });
    expect(await agent.do('get_unique_tags', { key: 'nothing' })).toEqual({ count: 0, tags: [] });
  });

  it('says how to request less if an answer is too large', async () => {
    await using agent = await agentOn(await newPlace(), { toolBudget: 3000 });
    const dialog = [{ type: 'text', start: '2025-10-14T10:30:00Z', encoding: 'none', body: 'word '.repeat(1000) }];
    const large = await agent.do('create_vcon', { subject: 's'.repeat(200), dialog });
    const got = await agent.call('get_vcon', { uuid: large['uuid'] });
    expect([got.code, got.text]).toEqual(['RESPONSE_TOO_LARGE', expect.stringMatching(/response_format.*dialog\/0/)]);
    expect(await agent.do('get_vcon', { uuid: large['uuid'], response_format: 'summary' })).toMatchObject({
      vcon: { dialog: { count: 1 } },
    });
    for (let more = 0; more < 12; more += 1) await agent.do('create_vcon', { subject: 's'.repeat(200), more });
    const found = await agent.call('search_vcons', {});
    expect([found.code, found.text]).toEqual(['RESPONSE_TOO_LARGE', expect.stringContaining('smaller limit')]);
    expect(await agent.do('search_vcons', { limit: 2 })).toMatchObject({ count: 2 });
  });

  it('does not change a signed vCon', async () => {
    await using agent = await agentOn(await newPlace());
    const payload = Buffer.from(JSON.stringify({ uuid, created_at: supportCall.created_at, subject: 'Sealed words' }));
    const signed = { payload: payload.toString('base64url'), signatures: [{ protected: 'e30', signature: 'AAAA' }] };
    await agent.do('create_vcon', signed);
    expect(await agent.do('get_vcon', { uuid })).toMatchObject({ vcon: signed });
    expect(await agent.do('get_vcon', { uuid, response_format: 'summary' })).toMatchObject({
      vcon: { subject: 'Sealed words' },
    });
    for (const [tool, args] of [
      ['update_vcon', { subject: 'x' }],
      ['add_party', { party: {} }],
      ['manage_tag', { action: 'set', key: 'a', value: 'b' }],
    ] as const) {
      const { code, text } = await agent.call(tool, { uuid, ...args });
      expect([tool, code, text]).toEqual([tool, 'INVALID_PARAMS', expect.stringContaining('signed')]);
    }
    expect(await agent.do('search_vcons_content', { query: 'sealed' })).toMatchObject({
      count: 1,
      results: [{ uuid }],
    });
  });

  it.each([
    ['get_vcon', {}, 'INVALID_PARAMS', /vcon_uuid/],
    ['get_vcon', { uuid: 'no' }, 'RESOURCE_NOT_FOUND', /8-4-4-4-12/],
    ['get_vcon', { uuid: '-'.repeat(36) }, 'RESOURCE_NOT_FOUND', /8-4-4-4-12/],
    ['get_vcon', { uuid: '00000000-0000-0000-0000-000000000000' }, 'RESOURCE_NOT_FOUND', /no vCon/],
    ['get_vcon', { uuid, vcon_uuid: '00000000-0000-0000-0000-000000000000' }, 'INVALID_PARAMS', /one of the two/],
    ['get_vcon', { uuid, response_format: 'poem' }, undefined, /response_format/],
    ['create_vcon', { uuid: 'no' }, 'INVALID_PARAMS', /UUID/],
    ['create_vcon', {}, 'INVALID_PARAMS', /at least one of uuid, created_at/],
    ['create_vcon', { nope: 1 }, 'INVALID_PARAMS', /No field of a vCon was given: it takes uuid/],
    ['create_vcon', { subjekt: 'x' }, 'INVALID_PARAMS', /did you mean "subject"/],
    ['create_vcon', { document: { subject: 'x' } }, 'INVALID_PARAMS', /inside "document".*under vcon_data/],
    ['create_vcon', { vcon_data: 'x' }, 'INVALID_PARAMS', /vcon_data is not an object/],
    [
      'create_vcon',
      { vcon_data: { subject: 'x' }, metadata: {} },
      'INVALID_PARAMS',
      /"metadata" is not allowed together with vcon_data/,
    ],
    ['get_vcon', { uuid, format: 'summary' }, undefined, /no argument "format"/],
    ['search_vcons', { subjet: 'x' }, undefined, /did you mean "subject"/],
    ['manage_tag', { uuid, action: 'set', kay: 'a', value: 'c' }, undefined, /did you mean "key"/],
    ['create_vcon', { parties: 'me' }, 'INVALID_PARAMS', /list/],
    ['create_vcon', { critical: ['x-ray'] }, 'INVALID_PARAMS', /x-ray/],
    ['update_vcon', { uuid }, 'INVALID_PARAMS', /fields/],
    ['update_vcon', { uuid, updates: { uuid: 'x' } }, 'INVALID_PARAMS', /uuid cannot be changed/],
    ['update_vcon', { uuid, parties: [] }, 'INVALID_PARAMS', /one by one/],
    ['update_vcon', { uuid, created_at: null }, 'INVALID_PARAMS', /created_at/],
    ['delete_vcon', { uuid: 'no' }, 'RESOURCE_NOT_FOUND', /UUID/],
    ['add_party', { uuid }, undefined, /party/],
    ['add_party', { uuid, party: 'me' }, undefined, /party/],
    ['add_party', { party: {} }, 'INVALID_PARAMS', /vcon_uuid/],
    ['update_dialog', { uuid, index: 7, dialog: {} }, 'INVALID_PARAMS', /there are 2, counted from 0/],
    ['update_dialog', { uuid, index: -1, dialog: {} }, undefined, /index/],
    ['remove_analysis', { uuid, index: 1.5 }, undefined, /index/],
    ['remove_attachment', { uuid, index: 99 }, 'INVALID_PARAMS', /there are 2/],
    ['manage_tag', { uuid, action: 'set', key: 'a:b', value: 'c' }, 'INVALID_PARAMS', /colon/],
    ['manage_tag', { uuid, action: 'set', key: 'a' }, 'INVALID_PARAMS', /value/],
    ['manage_tag', { uuid, action: 'twist', key: 'a' }, undefined, /action/],
    ['get_tags', { uuid: 'no' }, 'RESOURCE_NOT_FOUND', /UUID/],
  ])('%s %j is refused with a reason, and nothing changes', async (tool, args, code, reason) => {
    await using agent = await agentOn(await newPlace());
    await agent.do('create_vcon', supportCall);
    const answered = await agent.call(tool, args);
    expect([answered.isError, answered.code]).toEqual([true, code]);
    expect(answered.text).toMatch(reason);
    expect(await agent.json(uri)).toEqual(supportCall);
    expect(await agent.do('search_vcons')).toMatchObject({ count: 1 });
  });
});
