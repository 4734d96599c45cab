// Which documents an import accepts and refuses, and its report.
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ImportProgress, importVcons } from '@tidings/vcon';
import { describe, expect, it } from 'vitest';
import { exported, filesWith, freshLibrary, jsonl, numbered, range, uuidOf } from './import-fixture.ts';
import { describeEngines } from './places.ts';

const none = { created: 0, unchanged: 0, replaced: 0, conflicts: 0, bad: 0, warnings: 0 };
const [one, two, three] = [numbered(1), numbered(2), numbered(3)];
const text = (value: unknown) => JSON.stringify(value);

describeEngines('an import', (newPlace) => {
  it('imports files and folders in every layout', async () => {
    const folder = await filesWith({
      'a.json': JSON.stringify(one, null, 2),
      'b.vcon': `\u{feff}${text(two)}`,
      'c.jsonl': `\u{feff}${text(three)}\r\n\r\n  \n${text(numbered(4))}`,
      'deep/down/d.NDJSON': jsonl([numbered(5)]),
      'e.json': JSON.stringify([numbered(6), numbered(7)], null, 2),
      'f.json': `${text(numbered(8))}\n${text(numbered(9))}\n`,
      'g.json': '[]',
      'notes.txt': 'not of interest',
      'other.md': '# not of interest',
    });
    const library = await freshLibrary(await newPlace());
    const result = await importVcons(library, [folder]);
    expect(result).toEqual({
      outcome: 'complete',
      counts: { ...none, created: 9 },
      problems: [],
      warnings: [],
      resumed: [],
    });
    expect(await exported(library)).toEqual(range(1, 10).toReversed());
  });

  it('changes nothing when repeated, even for documents without uuid and time', async () => {
    const folder = await filesWith({
      'a.jsonl': jsonl([one, two, two]),
      'bare.json': text({ subject: 'Bare', parties: [{ name: 'A' }] }),
    });
    const library = await freshLibrary(await newPlace());
    expect((await importVcons(library, [folder])).counts).toEqual({ ...none, created: 3, unchanged: 1, warnings: 2 });
    expect((await importVcons(library, [folder])).counts).toEqual({ ...none, unchanged: 4, warnings: 2 });
    const backup = await filesWith({ 'backup.jsonl': jsonl(await exported(library)) });
    expect((await importVcons(library, [backup])).counts).toEqual({ ...none, unchanged: 3 });
  });

  it('keeps existing vCons with other content, or replaces them', async () => {
    const other = { ...one, subject: 'Another one' };
    const folder = await filesWith({ 'a.jsonl': jsonl([one]), 'b.jsonl': `\n${jsonl([other])}` });
    const library = await freshLibrary(await newPlace());
    await importVcons(library, [join(folder, 'a.jsonl')]);
    const source = join(folder, 'b.jsonl');
    const kept = await importVcons(library, [source]);
    expect(kept.counts).toEqual({ ...none, conflicts: 1 });
    const reason = `there is another vCon with the UUID ${uuidOf(1)}, which was kept`;
    expect(kept.problems).toEqual([{ source, line: 2, reason }]);
    expect(await exported(library)).toEqual([one]);
    expect((await importVcons(library, [source], { replace: true })).counts).toEqual({ ...none, replaced: 1 });
    expect(await exported(library)).toEqual([other]);
  });

  it('announces once per batch', async () => {
    const folder = await filesWith({ 'a.jsonl': jsonl(range(0, 650)) });
    const library = await freshLibrary(await newPlace());
    const announced: number[] = [];
    const unfollow = library.feed.follow({
      change: ({ topics }) => void announced.push(topics.length),
      gap: () => {},
    });
    await importVcons(library, [folder]);
    // Changes arrive in order, so all earlier ones arrive before this one.
    await library.store.write(async ({ announce }) => announce('fence'));
    await expect.poll(() => announced.length).toBe(4);
    // One topic for each document, and two for the collection.
    expect(announced).toEqual([302, 302, 52, 1]);
    unfollow();
  });

  it('stores a document of the maximum size, and finds words in it', async () => {
    const body = Array.from({ length: 400_000 }, (_, index) => `w${index % 50_000}`).join(' ');
    const large = numbered(1, { dialog: [{ type: 'text', start: one.created_at, encoding: 'none', body }] });
    const folder = await filesWith({ 'a.jsonl': jsonl([large, two]) });
    const library = await freshLibrary(await newPlace());
    expect((await importVcons(library, [folder])).counts.created).toBe(2);
    expect(await exported(library)).toEqual([two, large]);
  });
});

describe('a bad document is reported with its line and reason, and the others are imported', () => {
  const strays = 'not JSON: a vCon begins with {, a list of them with [';

  it.each<
    [what: string, file: string, content: string | Uint8Array, problems: [line: number | undefined, reason: string][]]
  >([
    ['a bad line', 'a.jsonl', `{"uuid": }\n${text(one)}\n`, [[1, 'not JSON: unexpected } in column 10']]],
    [
      'a cut line',
      'a.jsonl',
      `${text(one)}\n{"uuid": "000`,
      [[2, 'not JSON: it ends too early (cut off?) in column 14']],
    ],
    [
      'two on a line',
      'a.jsonl',
      `{} {}\n${text(one)}`,
      [[1, 'not JSON: more than one document: give each a line of its own in a .jsonl file in column 4']],
    ],
    [
      'no object',
      'a.jsonl',
      `[1]\n"x"\nnull\n${text(one)}`,
      [1, 2, 3].map((line) => [line, 'The vCon is not an object: give one JSON object.']),
    ],
    [
      'invalid UTF-8',
      'a.jsonl',
      Buffer.concat([Buffer.from('{"subject":"'), Buffer.from([0xff, 0xfe]), Buffer.from(`"}\n${text(one)}`)]),
      [[1, 'not UTF-8: save it in that encoding']],
    ],
    ['UTF-16', 'a.json', Buffer.from(`\u{feff}${text(one)}`, 'utf16le'), [[1, strays]]],
    [
      'a malformed uuid',
      'a.jsonl',
      `${text({ ...two, uuid: '36' })}\n${text(one)}`,
      [[1, 'uuid is "36", which is no UUID: write it as in 123e4567-e89b-12d3-a456-426614174000, or leave it out.']],
    ],
    [
      'other JSON',
      'package.json',
      text({ name: 'x', version: '1.0.0' }),
      [
        [
          1,
          'This is not a vCon: it has none of vcon, uuid, created_at, subject, parties, dialog, analysis, attachments.',
        ],
      ],
    ],
    [
      'a fault on a later line',
      'a.json',
      '{\n  "uuid": "x",\n  "parties": [}\n}',
      [[3, 'not JSON: unexpected } in column 15']],
    ],
    ['a fault in a list', 'a.json', `[\n{"a": tru},\n${text(one)}\n]`, [[2, 'not JSON: unexpected t in column 7']]],
    ['a list that is not closed', 'a.json', `[${text(one)},\n`, [[2, 'not JSON: the list is not closed (cut off?)']]],
    [
      'an open string',
      'a.json',
      `${text(one)}\n{"uuid": "x\n{"uuid": "y"}`,
      [[2, 'not JSON: line break within a string, which may not be closed in column 12']],
    ],
    ['nothing', 'a.json', '', [[1, 'empty']]],
    ['no JSON', 'a.json', 'hello', [[1, strays]]],
    [
      'too deep',
      'a.jsonl',
      `${'{"a":'.repeat(600)}1${'}'.repeat(600)}\n${text(one)}`,
      [[1, 'The vCon is nested more than 500 levels deep: flatten it.']],
    ],
    [
      'a critical extension',
      'a.jsonl',
      `${text({ ...two, critical: ['lawful'] })}\n${text(one)}`,
      [[1, expect.stringContaining('"lawful"')]],
    ],
  ])('%s', async (_, file, content, problems) => {
    const folder = await filesWith({ [file]: content, 'z.json': text(three) });
    const library = await freshLibrary();
    const result = await importVcons(library, [folder]);
    const source = join(folder, file);
    expect(result.problems).toEqual(problems.map(([line, reason]) => ({ source, line, reason })));
    expect(result.counts.bad).toBe(problems.length);
    expect(await exported(library)).toEqual(String(content).includes(uuidOf(1)) ? [three, one] : [three]);
  });

  it('a document over the size limit is not loaded', async () => {
    const long = numbered(2, { body: 'x'.repeat(5000) });
    const folder = await filesWith({
      'a.jsonl': jsonl([one, long, three]),
      'b.json': text([numbered(4), long, numbered(5)]),
    });
    const library = await freshLibrary();
    const { counts, problems } = await importVcons(library, [folder], { limits: { documentBytes: 2000 } });
    expect(counts).toEqual({ ...none, created: 4, bad: 2 });
    expect(problems.map(({ line }) => line)).toEqual([2, 1]);
    expect(problems[0]?.reason).toContain('longer than a document may be');
  });

  it('a missing or unreadable source is reported', async () => {
    const folder = await filesWith({ 'a.json': text(one), 'b.json': text(two) });
    await symlink(join(folder, 'nowhere'), join(folder, 'c.json'));
    await symlink(join(folder, 'nowhere'), join(folder, 'uninteresting'));
    const missing = join(folder, 'missing.jsonl');
    const library = await freshLibrary();
    const { counts, problems } = await importVcons(library, [missing, folder]);
    expect(counts).toEqual({ ...none, created: 2, bad: 2 });
    const reason = 'there is no such file';
    expect(problems).toEqual([
      { source: missing, reason },
      { source: join(folder, 'c.json'), reason },
    ]);
  });

  it.skipIf(process.getuid?.() === 0)(
    'a file that this user may not read is reported [skipped for root, who may read all]',
    async () => {
      const folder = await filesWith({ 'a.json': text(one), 'b.json': text(two) });
      await chmod(join(folder, 'a.json'), 0);
      const { counts, problems } = await importVcons(await freshLibrary(), [folder]);
      expect(counts).toEqual({ ...none, created: 1, bad: 1 });
      expect(problems[0]?.reason).toBe('this user may not read it');
    },
  );

  it('lists the first problems, with the total number', async () => {
    const folder = await filesWith({ 'a.jsonl': 'x\n'.repeat(30) });
    let told = 0;
    const { counts, problems } = await importVcons(await freshLibrary(), [folder], {
      listProblems: 10,
      onProblem: () => (told += 1),
    });
    expect([counts.bad, problems.length, told]).toEqual([30, 10, 30]);
  });
});

describe('warnings', () => {
  const odd = {
    ...one,
    dialog: [{ type: 'text', start: one.created_at, mimetype: 'text/plain', encoding: 'none', body: 'x' }],
  };

  it('are summed up by kind over all indexes, with their first occurrence', async () => {
    const [dialog] = odd.dialog;
    const folder = await filesWith({ 'a.jsonl': jsonl([two, odd, { ...three, dialog: [dialog, dialog] }]) });
    const { counts, warnings } = await importVcons(await freshLibrary(), [folder]);
    expect(counts).toEqual({ ...none, created: 3, warnings: 2 });
    const first = { source: join(folder, 'a.jsonl'), line: 2, reason: 'dialog[0].mimetype: old name of mediatype' };
    expect(warnings).toEqual([{ kind: 'dialog[*].mimetype: old name of mediatype', documents: 2, first }]);
  });

  it('report numbers that cannot be stored exactly', async () => {
    const folder = await filesWith({ 'a.jsonl': `${text(one).slice(0, -1)},"n":12345678901234567890}\n` });
    const { counts, warnings } = await importVcons(await freshLibrary(), [folder]);
    expect(counts).toEqual({ ...none, created: 1, warnings: 1 });
    expect(warnings[0]?.first.reason).toContain('12345678901234567890 becomes 12345678901234567000');
    expect(warnings[0]?.kind).not.toContain('1234');
  });

  it('are refusals with strict', async () => {
    const inexact = `${text(three).slice(0, -1)},"n":12345678901234567890}\n`;
    const folder = await filesWith({ 'a.jsonl': `${jsonl([odd, two])}${inexact}` });
    const library = await freshLibrary();
    const { counts, problems } = await importVcons(library, [folder], { strict: true });
    expect(counts).toEqual({ ...none, created: 1, bad: 2 });
    expect(problems).toMatchObject([
      { line: 1, reason: expect.stringContaining('mimetype') },
      { line: 3, reason: expect.stringContaining('12345678901234567890') },
    ]);
    expect(await exported(library)).toEqual([two]);
  });
});

describe('an import', () => {
  it('follows links, and ends with circular ones', async () => {
    const outside = await filesWith({ 'there/x.json': text(two) });
    const folder = await filesWith({ 'a/one.json': text(one) });
    await symlink(folder, join(folder, 'a', 'up'));
    await symlink(join(outside, 'there'), join(folder, 'there'));
    await symlink(join(outside, 'there', 'x.json'), join(folder, 'x.json'));
    const library = await freshLibrary();
    expect((await importVcons(library, [folder])).counts).toEqual({ ...none, created: 2, unchanged: 1 });
  });

  it('reads a named file with any extension', async () => {
    const folder = await filesWith({ 'call.txt': text(one) });
    expect((await importVcons(await freshLibrary(), [join(folder, 'call.txt')])).counts.created).toBe(1);
  });

  it('reads lines of a stream', async () => {
    const bytes = Buffer.from(jsonl(range(0, 50)));
    const chunks = Array.from({ length: Math.ceil(bytes.length / 33) }, (_, index) =>
      bytes.subarray(index * 33, index * 33 + 33),
    );
    const library = await freshLibrary();
    const stream = Readable.from([...chunks, Buffer.from('oops')]);
    const { counts, problems } = await importVcons(library, [{ name: 'stdin', stream }]);
    expect(counts).toEqual({ ...none, created: 50, bad: 1 });
    expect(problems).toEqual([{ source: 'stdin', line: 51, reason: 'not JSON: unexpected o in column 1' }]);
  });

  it('reports its progress', async () => {
    const folder = await filesWith({ 'a.jsonl': jsonl(range(0, 25)), 'b.json': text(numbered(30)) });
    const seen: ImportProgress[] = [];
    await importVcons(await freshLibrary(), [folder], {
      limits: { batchDocuments: 10 },
      onProgress: (progress) => void seen.push(progress),
    });
    expect(seen.map(({ documents }) => documents)).toEqual([10, 20, 26]);
    expect(seen.at(-1)?.bytes).toBe(seen.at(-1)?.totalBytes);
    expect(seen.every(({ bytes }, index) => bytes > (seen[index - 1]?.bytes ?? 0))).toBe(true);
  });
});
