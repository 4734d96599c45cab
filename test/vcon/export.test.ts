// An export equals the imported documents, and contains nothing that a redaction hides.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportVcons, importVcons } from '@tidings/vcon';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentsWith } from './generated-document.ts';
import { exported, filesWith, freshLibrary, jsonl, numbered, range, uuidOf } from './import-fixture.ts';
import { describeEngines } from './places.ts';
import { supportCall } from './workbench.ts';

const samples = fileURLToPath(new URL('../../../shared/data/vcon/', import.meta.url));
const hasSamples = existsSync(samples);

const byUuid = (documents: readonly object[]) =>
  documents.toSorted((a, b) => (JSON.stringify(Object(a).uuid) < JSON.stringify(Object(b).uuid) ? -1 : 1));

describeEngines('an export', (newPlace) => {
  it('has exactly the imported documents, for any content and spelling', async () => {
    const library = await freshLibrary(await newPlace());
    let next = 0;
    const written: object[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(documentsWith('uuid', 'created_at'), { maxLength: 8 }), async (documents) => {
        const named = documents.map((document) => ({ ...document, uuid: uuidOf((next += 1)) }));
        const half = Math.ceil(named.length / 2);
        const folder = await filesWith({
          'a.jsonl': jsonl(named.slice(0, half)),
          'b.json': JSON.stringify(named.slice(half), null, 2),
        });
        const { counts, problems } = await importVcons(library, [folder]);
        expect({ problems, created: counts.created }).toEqual({ problems: [], created: named.length });
        written.push(...named);
      }),
      { numRuns: 20 },
    );
    expect(byUuid(await exported(library))).toEqual(byUuid(written));
  });

  it('has the newest first and each once, with any number of equal times', async () => {
    const library = await freshLibrary(await newPlace());
    const documents = Array.from({ length: 1203 }, (_, n) =>
      numbered(n, { created_at: `2025-01-0${1 + (n % 2)}T00:00:00Z` }),
    );
    await importVcons(library, [await filesWith({ 'a.jsonl': jsonl(documents) })]);
    const uuids = (await exported(library)).map((document) => String(Object(document).uuid));
    const ofDay = (day: 0 | 1) =>
      documents
        .map((_, index) => index)
        .filter((index) => index % 2 === day)
        .toReversed()
        .map(uuidOf);
    expect(uuids).toEqual([...ofDay(1), ...ofDay(0)]);
  });

  it('under a redaction contains only visible content', async () => {
    const library = await freshLibrary(await newPlace());
    const sealed = {
      payload: Buffer.from(JSON.stringify(numbered(2))).toString('base64url'),
      signatures: [{ signature: 'x' }],
    };
    await importVcons(library, [await filesWith({ 'a.jsonl': jsonl([supportCall, sealed]) })]);
    expect(await exported(library)).toEqual([supportCall, sealed]);
    const lines: string[] = [];
    const result = await exportVcons(library, (line) => void lines.push(line), { redact: 'contact-details' });
    expect(result).toEqual({ documents: 1, withheld: 1 });
    expect(lines.join('')).toContain('John Doe');
    expect(lines.join('')).not.toMatch(/555-1234|smith@company/);
    await expect(exported(library, { redact: 'no-such' })).rejects.toThrow('There is no redaction "no-such"');
  });

  it('skips vCons that are deleted during the export', async () => {
    const library = await freshLibrary(await newPlace());
    await importVcons(library, [await filesWith({ 'a.jsonl': jsonl(range(0, 5)) })]);
    const seen: string[] = [];
    await exportVcons(library, async (line) => {
      seen.push(JSON.parse(line).uuid);
      if (seen.length === 2) await library.remove(uuidOf(1));
    });
    expect(seen).toEqual([4, 3, 2, 0].map(uuidOf));
  });

  it('waits for its consumer, and ends when aborted', async () => {
    const library = await freshLibrary(await newPlace());
    await importVcons(library, [await filesWith({ 'a.jsonl': jsonl(range(0, 20)) })]);
    const controller = new AbortController();
    let writing = 0;
    let most = 0;
    const result = await exportVcons(
      library,
      async () => {
        writing += 1;
        most = Math.max(most, writing);
        await new Promise(setImmediate);
        writing -= 1;
      },
      { signal: controller.signal, onProgress: ({ documents }) => documents === 7 && controller.abort() },
    );
    expect({ documents: result.documents, most }).toEqual({ documents: 7, most: 1 });
  });

  it.runIf(hasSamples)('has the samples, deep-equal', async () => {
    const library = await freshLibrary(await newPlace());
    const source = join(samples, 'fake-vcons.jsonl');
    const { counts } = await importVcons(library, [source]);
    const lines = readFileSync(source, 'utf8').trim().split('\n');
    expect(counts).toMatchObject({ created: lines.length, bad: 0, conflicts: 0 });
    expect(byUuid(await exported(library))).toEqual(byUuid(lines.map((line) => JSON.parse(line))));
  });

  it.runIf(hasSamples)('has the examples of the working group, with missing fields added', async () => {
    const library = await freshLibrary(await newPlace());
    const folder = join(samples, 'wg-examples');
    for (const file of readdirSync(folder)) {
      const { counts } = await importVcons(library, [join(folder, file)], { replace: true });
      // Some examples are versions of one vCon and share a uuid.
      expect(counts.created + counts.replaced + counts.unchanged, file).toBe(1);
      const document: object = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      expect(await exported(library), file).toContainEqual(expect.objectContaining(document));
    }
  });
});
