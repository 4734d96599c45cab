// Exact reach: only subscribers of a resource whose content differs are notified.
import { type TestClient, eventually, told } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { describeEngines } from './places.ts';
import { type Workbench, base, supportCall, workbench } from './workbench.ts';

const { uuid } = supportCall;
const parts = ['metadata', 'parties', 'dialog', 'analysis', 'attachments', 'transcript', 'summary', 'tags'];
const more = [
  'dialog/0',
  'dialog/1',
  'attachments/0',
  'attachments/1',
  'analysis/type/sentiment',
  'attachments/type/document',
];
const lists = [
  'recent',
  'recent/1',
  'recent/25',
  'recent/ids',
  'recent/ids/3',
  'ids',
  'ids/500',
  'ids/5/after/2030-01-01T00:00:00Z',
];
const everything = [...lists, uuid, ...[...parts, ...more].map((part) => `${uuid}/${part}`)];
const fence = 'dddddddd-0000-4000-8000-000000000000';

/** The URIs that `act` announces. */
async function toldOf({ client, library }: Workbench, act: () => Promise<unknown>): Promise<string[]> {
  await library.create({ uuid: fence, created_at: '2020-01-01T00:00:00Z', n: 0 });
  const subscription = await client.subscribe(...everything.map((path) => `${base}/${path}`), `${base}/${fence}`);
  const before = client.updates.length;
  await act();
  // Changes arrive in order: once this one has arrived, so have all earlier ones.
  await library.change(fence, (document) => ({ document: { ...document, n: 1 }, result: undefined }));
  await told(client, `${base}/${fence}`);
  await subscription.end();
  const fenced = new Set([`${base}/${fence}`]);
  return [...new Set(client.updates.slice(before))]
    .filter((uri) => !fenced.has(uri))
    .map((uri) => uri.slice(base.length + 1))
    .sort();
}

const sorted = (...paths: string[]) => paths.sort();
const inRecent = ['recent', 'recent/1', 'recent/25'];
const ofUuid = (...names: string[]) => names.map((name) => (name === '' ? uuid : `${uuid}/${name}`));

describeEngines('a change', (newPlace) => {
  const open = async () => {
    const bench = await workbench(await newPlace());
    await bench.library.create(supportCall);
    return bench;
  };
  const edit = (bench: Workbench, fields: Record<string, unknown>) =>
    bench.library.change(uuid, (document) => ({
      document: { ...document, ...JSON.parse(JSON.stringify(fields)) },
      result: undefined,
    }));

  it('that creates one notifies watchers of every list of any length', async () => {
    await using bench = await open();
    expect(await toldOf(bench, () => bench.library.create({ created_at: '2026-01-01T00:00:00Z' }))).toEqual(
      sorted(...lists),
    );
  });

  it('that deletes one notifies watchers of every list and of all its resources', async () => {
    await using bench = await open();
    expect(await toldOf(bench, () => bench.library.remove(uuid))).toEqual(sorted(...everything));
  });

  it('of a transcript notifies watchers of the analysis and its derived resources', async () => {
    await using bench = await open();
    const added = [...supportCall.analysis, { type: 'transcript', vendor: 'x', body: 'more' }];
    expect(await toldOf(bench, () => edit(bench, { analysis: added }))).toEqual(
      sorted(...inRecent, ...ofUuid('', 'metadata', 'analysis', 'transcript')),
    );
  });

  it('of a party notifies watchers of the parties', async () => {
    await using bench = await open();
    expect(await toldOf(bench, () => edit(bench, { parties: [{ name: 'Somebody else' }] }))).toEqual(
      sorted(...inRecent, ...ofUuid('', 'metadata', 'parties')),
    );
  });

  it('of one dialog does not notify watchers of the other', async () => {
    await using bench = await open();
    const [first, second] = supportCall.dialog;
    expect(await toldOf(bench, () => edit(bench, { dialog: [first, { ...second, body: 'Never mind.' }] }))).toEqual(
      sorted(...inRecent, ...ofUuid('', 'metadata', 'dialog', 'dialog/1')),
    );
  });

  it('of the tags does not notify watchers of other attachments', async () => {
    await using bench = await open();
    const [tags, invoice] = supportCall.attachments;
    expect(await toldOf(bench, () => edit(bench, { attachments: [{ ...tags, body: '["a:b"]' }, invoice] }))).toEqual(
      sorted(...inRecent, ...ofUuid('', 'metadata', 'attachments', 'attachments/0', 'tags')),
    );
  });

  it('of very many attachments notifies watchers of each, and no others', async () => {
    await using bench = await open();
    const attachments = Array.from({ length: 300 }, (_, n) => ({ type: `kind${n}`, body: String(n) }));
    expect(await toldOf(bench, () => edit(bench, { attachments }))).toEqual(
      sorted(
        ...ofUuid('', 'metadata', 'attachments', 'attachments/0', 'attachments/1', 'attachments/type/document', 'tags'),
        ...inRecent,
      ),
    );
  });

  it('of the subject notifies watchers of the lists that show it', async () => {
    await using bench = await open();
    expect(await toldOf(bench, () => edit(bench, { subject: 'Another' }))).toEqual(
      sorted(...lists, ...ofUuid('', 'metadata')),
    );
  });

  it('of an old conversation does not notify watchers of the newest ones', async () => {
    await using bench = await open();
    const old = 'aaaaaaaa-0000-4000-8000-000000000000';
    await bench.library.create({ uuid: old, created_at: '2021-01-01T00:00:00Z' });
    const happened = await toldOf(bench, () =>
      bench.library.change(old, (document) => ({ document: { ...document, note: 'changed' }, result: undefined })),
    );
    expect(happened).not.toContain('recent/1');
    expect(happened).toContain('recent/25');
  });

  it('to equal content announces nothing', async () => {
    await using bench = await open();
    expect(await toldOf(bench, () => bench.library.create(supportCall))).toEqual(sorted('recent', 'recent/25'));
  });

  it('notifies subscribers of a conversation that did not exist before', async () => {
    await using bench = await workbench(await newPlace());
    await bench.client.subscribe(`${base}/${uuid}/transcript`, `vcon://uuid/${uuid.toUpperCase()}/`);
    await bench.library.create(supportCall);
    await told(bench.client, `${base}/${uuid}/transcript`);
    await told(bench.client, `vcon://uuid/${uuid.toUpperCase()}/`);
  });

  it('by another process notifies all subscribers of this one', async () => {
    const place = await newPlace();
    await using bench = await workbench(place);
    await using other = await workbench(place, { era: 'legacy' });
    await bench.client.subscribe(`${base}/recent/ids`);
    await other.client.subscribe(`${base}/${uuid}/tags`);
    await other.library.create(supportCall);
    await told(bench.client, `${base}/recent/ids`);
    await bench.library.remove(uuid);
    await twice(other.client, `${base}/${uuid}/tags`);
  });
});

async function twice(client: TestClient, uri: string): Promise<void> {
  await eventually('both', () => client.updates.filter((each) => each === uri).length >= 2);
}

describeEngines('an import', (newPlace) => {
  it('announces once for a batch', async () => {
    await using bench = await workbench(await newPlace());
    await bench.client.subscribe(`${base}/ids`);
    const batch = Array.from({ length: 200 }, (_, n) => bench.library.accept({ n }));
    let changes = 0;
    bench.library.feed.follow({ change: () => void (changes += 1), gap: () => undefined });
    await bench.library.putAll(batch, { replace: false });
    await told(bench.client, `${base}/ids`);
    expect(changes).toBe(1);
    expect(bench.client.updates).toEqual([`${base}/ids`]);
    await eventually('the list to be told of', () => bench.client.listChanges.length === 1);
  });
});
