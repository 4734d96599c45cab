// Mistakes of other vCon servers, each with a test that this server does not make it.
import { serveHttp } from '@tidings/live';
import { FakeClock, connectHttp, told } from '@tidings/live/testing';
import { openLibrary } from '@tidings/vcon';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeEngines } from './places.ts';
import { type Workbench, base, failure, supportCall, workbench } from './workbench.ts';

const { uuid } = supportCall;
const pageSchema = z.object({
  count: z.number(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  vcons: z.array(z.object({ uuid: z.string(), created_at: z.string() })),
});

async function page(bench: Workbench, size: number, cursor?: string | null) {
  const path = cursor ? `ids/${size}/after/${encodeURIComponent(cursor)}` : `ids/${size}`;
  return pageSchema.parse(await bench.json(path));
}

/** Walks all pages; `between` runs after each and may change vCons. */
async function walk(bench: Workbench, size: number, between: (step: number) => Promise<void> = async () => undefined) {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let step = 0; ; step += 1) {
    const { vcons, has_more, next_cursor } = await page(bench, size, cursor);
    seen.push(...vcons.map(({ uuid }) => uuid));
    if (!has_more) return seen;
    cursor = next_cursor;
    await between(step);
  }
}

const numbered = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describeEngines('pages', (newPlace) => {
  it('reach each vCon once if many have the same time', async () => {
    await using bench = await workbench(await newPlace());
    const created_at = '2025-01-01T00:00:00Z';
    for (let n = 0; n < 23; n += 1) await bench.library.create({ uuid: numbered(n), created_at });
    const expected = Array.from({ length: 23 }, (_, n) => numbered(22 - n));
    for (const size of [1, 4, 23, 24]) expect(await walk(bench, size)).toEqual(expected);
  });

  it('reach each remaining vCon once while others are added and removed', async () => {
    await using bench = await workbench(await newPlace());
    const at = (n: number) => `2025-01-01T00:00:${String(Math.floor(n / 3)).padStart(2, '0')}Z`;
    for (let n = 0; n < 60; n += 1) await bench.library.create({ uuid: numbered(n), created_at: at(n) });
    const gone = new Set<string>();
    const seen = await walk(bench, 7, async (step) => {
      const victim = numbered(step * 5);
      gone.add(victim);
      await bench.library.remove(victim);
      // Later than, within and earlier than the pages seen so far.
      await bench.library.create({ uuid: numbered(1000 + step), created_at: at(59) });
      await bench.library.create({ uuid: numbered(2000 + step), created_at: at(step * 2) });
    });
    expect(seen.length).toBe(new Set(seen).size);
    const stayed = Array.from({ length: 60 }, (_, n) => numbered(n)).filter((each) => !gone.has(each));
    expect(stayed.filter((each) => !seen.includes(each))).toEqual([]);
  });

  it('order by the instant, for any offset', async () => {
    await using bench = await workbench(await newPlace());
    const times = [
      '2025-01-01T12:00:00+02:00',
      '2025-01-01T11:00:00Z',
      '2025-01-01T05:30:00-05:00',
      '2025-01-01T11:00:00.000001Z',
    ];
    for (const [n, created_at] of times.entries()) await bench.library.create({ uuid: numbered(n), created_at });
    expect(await walk(bench, 2)).toEqual([numbered(3), numbered(1), numbered(2), numbered(0)]);
  });

  it('keep their order when a vCon with an invalid time is edited', async () => {
    const clock = new FakeClock(Date.parse('2025-01-01T00:00:00Z'));
    const library = await openLibrary(await newPlace(), { clock });
    await library.create({ uuid: numbered(1), created_at: 'yesterday' });
    await library.create({ uuid: numbered(2), created_at: '2025-01-01T06:00:00Z' });
    clock.advance(86_400_000);
    await library.change(numbered(1), (before) => ({ document: { ...before, subject: 'x' }, result: undefined }));
    const { entries } = await library.reader(undefined, Number.POSITIVE_INFINITY).page(10);
    await library.close();
    expect(entries.map((entry) => JSON.parse(entry).uuid)).toEqual([numbered(2), numbered(1)]);
  });

  it('report correctly whether there are more, even at the maximum size', async () => {
    await using bench = await workbench(await newPlace());
    const batch = Array.from({ length: 1001 }, (_, n) =>
      bench.library.accept({ uuid: numbered(n), created_at: '2025-01-01T00:00:00Z' }),
    );
    await bench.library.putAll(batch.slice(0, 1000), { replace: false });
    expect(await page(bench, 1000)).toMatchObject({ count: 1000, has_more: false, next_cursor: null });
    await bench.library.putAll(batch, { replace: false });
    const { has_more, next_cursor } = await page(bench, 1000);
    expect(has_more).toBe(true);
    expect(await page(bench, 1000, next_cursor)).toMatchObject({ count: 1, has_more: false });
  });
});

describeEngines('what is asked wrongly', (newPlace) => {
  it.each([
    ['recent/0', 'INVALID_PARAMS'],
    ['recent/-1', 'INVALID_PARAMS'],
    ['recent/2.5', 'INVALID_PARAMS'],
    ['recent/ten', 'INVALID_PARAMS'],
    ['recent/ids/0', 'INVALID_PARAMS'],
    ['ids/0', 'INVALID_PARAMS'],
    ['ids/0/after/2025-01-01T00:00:00Z', 'INVALID_PARAMS'],
    ['ids/10/after/garbage', 'INVALID_PARAMS'],
    ['ids/10/after/2025-02-30T00:00:00Z', 'INVALID_PARAMS'],
    ['ids/10/after/', 'INVALID_PARAMS'],
    ['ids/10/after/%E0%A4%A', 'INVALID_URI'],
    ['%zz', 'INVALID_URI'],
    ['-'.repeat(36), 'RESOURCE_NOT_FOUND'],
    [`${'-'.repeat(36)}/metadata`, 'RESOURCE_NOT_FOUND'],
    [`${uuid}0`, 'RESOURCE_NOT_FOUND'],
    ['', 'RESOURCE_NOT_FOUND'],
    [`${uuid}/metadata/x`, 'RESOURCE_NOT_FOUND'],
  ])('%s is %s', async (path, code) => {
    await using bench = await workbench(await newPlace());
    expect(await failure(bench.json(path))).toMatchObject({ code });
  });

  it('an unknown scheme is INVALID_URI', async () => {
    await using bench = await workbench(await newPlace());
    expect(await failure(bench.client.read(`xcon://v1/vcons/recent`))).toMatchObject({ code: 'INVALID_URI' });
  });
});

describeEngines('each resource', (newPlace) => {
  it('is one query', async () => {
    await using bench = await workbench(await newPlace());
    await bench.library.create(supportCall);
    for (let n = 0; n < 20; n += 1) await bench.library.create({ uuid: numbered(n) });
    let queries = 0;
    const { db } = bench.library.store;
    const executeQuery = db.executeQuery.bind(db);
    db.executeQuery = (query) => {
      queries += 1;
      return executeQuery(query);
    };
    const parts = ['metadata', 'parties', 'dialog', 'analysis', 'attachments', 'transcript', 'summary', 'tags'];
    const more = ['dialog/0', 'attachments/0', 'analysis/type/summary', 'attachments/type/tags'];
    const collections = ['recent/10', 'recent/ids', 'ids/1000', 'ids/5/after/2030-01-01T00:00:00Z'];
    for (const path of [...collections, uuid, ...[...parts, ...more].map((part) => `${uuid}/${part}`)]) {
      queries = 0;
      await bench.json(path);
      expect(queries, path).toBe(1);
    }
  });

  it('is fresh right after a change, also of another process', async () => {
    const place = await newPlace();
    await using bench = await workbench(place);
    await using other = await workbench(place);
    await bench.library.create(supportCall);
    expect(await other.json(`${uuid}/analysis`)).toMatchObject({ analysis: { length: 3 } });
    await bench.library.change(uuid, (document) => ({ document: { ...document, analysis: [] }, result: undefined }));
    expect(await other.json(`${uuid}/analysis`)).toEqual({ analysis: [] });
    await bench.library.remove(uuid);
    expect(await failure(other.json(uuid))).toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('returns every field', async () => {
    await using bench = await workbench(await newPlace());
    const document = {
      uuid,
      created_at: '2025-10-14T12:30:00.123456+02:00',
      subject: 'nul \u0000, half a pair \ud800, 中文',
      redacted: { uuid: numbered(1), type: 'PII' },
      appended: {},
      group: [],
      critical: [],
      extensions: ['cc'],
      'x-unknown': { deep: [1, { more: null }] },
      parties: [{}, { tel: '', 'x-role': 'agent' }],
      dialog: [
        {
          type: 'transfer',
          start: '2025-10-14T10:30:00Z',
          transferee: 0,
          transferor: 1,
          'transfer-target': 1,
          original: 0,
        },
        { type: 'video', mimetype: 'video/mp4', parties: [[0, null], 1], session_id: 'old style' },
      ],
      analysis: null,
      attachments: [{ purpose: 'tags', body: { a: 'b' } }],
    };
    await bench.library.create(document);
    expect(await bench.json(uuid)).toEqual(document);
    expect(await bench.json('recent')).toHaveProperty('vcons.0', document);
    expect(await bench.json(`${uuid}/tags`)).toEqual({ tags: { a: 'b' } });
  });
});

describeEngines('clients', (newPlace) => {
  it('are all notified, with any number of them', async () => {
    await using bench = await workbench(await newPlace());
    const { library, server } = bench;
    await library.create(supportCall);
    const running = await serveHttp(server);
    const clients = await Promise.all(
      (['modern', 'legacy', 'modern', 'legacy'] as const).map((era) => connectHttp(running.url, era)),
    );
    await Promise.all(clients.map((client) => client.subscribe(`${base}/recent`)));
    await library.remove(uuid);
    await Promise.all(clients.map((client) => told(client, `${base}/recent`)));
    await Promise.all(clients.map((client) => client.close()));
    await running.close();
  });
});
