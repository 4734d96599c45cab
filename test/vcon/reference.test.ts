// Every example of the reference documentation of vCon resources, with its heading there as title.
import { expect, it } from 'vitest';
import { describeEngines } from './places.ts';
import { base, failure, supportCall, workbench } from './workbench.ts';

const { uuid, created_at, subject, parties, dialog, analysis, attachments } = supportCall;
const entry = { uuid, created_at, subject };
const minutesBefore = (minutes: number) =>
  new Date(Date.parse(created_at) - minutes * 60_000).toISOString().replace('.000Z', 'Z');

describeEngines('the reference', (newPlace) => {
  /** A server with the documented conversation, and older ones. */
  const open = async (others = 0) => {
    const bench = await workbench(await newPlace());
    await bench.library.create(supportCall);
    for (let n = 1; n <= others; n += 1) {
      await bench.library.create({ created_at: minutesBefore(n), subject: `Older ${n}` });
    }
    return bench;
  };

  it('recent: 10 most recent in full, or a custom number', async () => {
    await using bench = await open(30);
    const recent = await bench.json('recent');
    expect(recent).toMatchObject({ count: 10, limit: 10 });
    expect(recent).toHaveProperty('vcons.0', supportCall);
    expect(recent).toHaveProperty('vcons.9.subject', 'Older 9');
    expect(await bench.json('recent/25')).toMatchObject({ count: 25, limit: 25 });
    expect(await bench.json('recent/101')).toMatchObject({ count: 31, limit: 100 });
  });

  it('recent/ids: the same, in short', async () => {
    await using bench = await open(12);
    expect(await bench.json('recent/ids')).toMatchObject({ count: 10, limit: 10, vcons: { 0: entry } });
    expect(await bench.json('recent/ids/2')).toEqual({
      count: 2,
      limit: 2,
      vcons: [entry, { uuid: expect.any(String), created_at: minutesBefore(1), subject: 'Older 1' }],
    });
    expect(await bench.json('recent/ids/99999')).toMatchObject({ count: 13, limit: 100 });
  });

  it('ids: all of them, page by page', async () => {
    await using bench = await open(104);
    const first = await bench.json('ids');
    expect(first).toMatchObject({ count: 100, limit: 100, has_more: true, vcons: { 0: entry } });
    const { next_cursor }: { next_cursor: string } = Object(first);
    const second = await bench.json(`ids/100/after/${encodeURIComponent(next_cursor)}`);
    expect(second).toMatchObject({ count: 5, limit: 100, has_more: false, next_cursor: null });
    expect(second).toHaveProperty('vcons.4.subject', 'Older 104');
    expect(await bench.json('ids/500')).toMatchObject({ count: 105, limit: 500, has_more: false });
    expect(await bench.json('ids/5000')).toMatchObject({ limit: 1000 });
  });

  it('ids after a timestamp: the older ones', async () => {
    await using bench = await open(5);
    const page = await bench.json(`ids/2/after/${encodeURIComponent(minutesBefore(2))}`);
    expect(page).toMatchObject({ count: 2, has_more: true, vcons: [{ subject: 'Older 3' }, { subject: 'Older 4' }] });
  });

  it('{uuid}: the whole', async () => {
    await using bench = await open();
    expect(await bench.json(uuid)).toEqual(supportCall);
  });

  it('{uuid}/metadata: without its content', async () => {
    await using bench = await open();
    expect(await bench.json(`${uuid}/metadata`)).toEqual({
      vcon: '0.3.0',
      uuid,
      created_at,
      updated_at: supportCall.updated_at,
      subject,
      extensions: [],
      must_support: [],
    });
  });

  it.each([
    ['parties', { parties }],
    ['dialog', { dialog }],
    ['analysis', { analysis }],
    ['attachments', { attachments }],
    ['transcript', { count: 1, transcripts: [analysis[2]] }],
    ['summary', { count: 1, summaries: [analysis[1]] }],
    ['tags', { tags: { department: 'support', priority: 'high' } }],
    ['analysis/type/sentiment', { count: 1, type: 'sentiment', analysis: [analysis[0]] }],
    ['attachments/type/document', { count: 1, type: 'document', attachments: [attachments[1]] }],
    ['dialog/1', dialog[1]],
  ])('{uuid}/%s', async (part, content) => {
    await using bench = await open();
    expect(await bench.json(`${uuid}/${part}`)).toEqual(content);
  });

  it('absent arrays are read as empty ones, and missing tags as none', async () => {
    await using bench = await workbench(await newPlace());
    const { uuid } = await bench.library.create({});
    for (const name of ['parties', 'dialog', 'analysis', 'attachments']) {
      expect(await bench.json(`${uuid}/${name}`)).toEqual({ [name]: [] });
    }
    expect(await bench.json(`${uuid}/transcript`)).toEqual({ count: 0, transcripts: [] });
    expect(await bench.json(`${uuid}/tags`)).toEqual({ tags: {} });
  });

  it('a trailing slash is tolerated everywhere', async () => {
    await using bench = await open();
    for (const path of [
      'recent/',
      'recent/5/',
      'recent/ids/',
      'ids/7/',
      `${uuid}/`,
      `${uuid}/tags/`,
      `${uuid}/dialog/`,
    ]) {
      expect(await bench.json(path), path).toEqual(await bench.json(path.slice(0, -1)));
    }
  });

  it('Migration Guide: old URIs have the content of their new ones', async () => {
    await using bench = await open(3);
    for (const [old, now] of [
      ['vcon://recent', 'recent'],
      ['vcon://recent/2', 'recent/2'],
      ['vcon://recent/ids', 'recent/ids'],
      ['vcon://recent/ids/2', 'recent/ids/2'],
      ['vcon://list/ids', 'ids'],
      ['vcon://list/ids/2', 'ids/2'],
      [`vcon://uuid/${uuid}`, uuid],
      [`vcon://uuid/${uuid}/`, uuid],
      [`vcon://uuid/${uuid}/metadata`, `${uuid}/metadata`],
    ] as const) {
      expect(JSON.parse(await bench.client.read(old)), old).toEqual(await bench.json(now));
    }
  });

  it.each([
    ['Error Handling: an invalid uuid', 'invalid-uuid', 'RESOURCE_NOT_FOUND'],
    ['an unknown uuid', '123e4567-e89b-12d3-a456-426614174999', 'RESOURCE_NOT_FOUND'],
    ['an unknown part', `${uuid}/nothing`, 'RESOURCE_NOT_FOUND'],
    ['an entry that is not there', `${uuid}/dialog/7`, 'RESOURCE_NOT_FOUND'],
    ['an index that is none', `${uuid}/dialog/one`, 'RESOURCE_NOT_FOUND'],
  ])('%s', async (_, path, code) => {
    await using bench = await open();
    expect(await failure(bench.json(path))).toMatchObject({ code });
  });

  it('resources/list names the collections and the newest 100 conversations', async () => {
    await using bench = await open(120);
    const listed = await bench.client.listAll();
    expect(listed.slice(0, 4)).toEqual([`${base}/recent`, `${base}/recent/ids`, `${base}/ids`, `${base}/${uuid}`]);
    expect(listed).toHaveLength(103);
  });
});
