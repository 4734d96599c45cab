// Interrupted imports, and the imports that continue them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ImportProgress, importVcons } from '@tidings/vcon';
import { describe, expect, it } from 'vitest';
import { filesWith, freshFolder, freshLibrary, jsonl, range } from './import-fixture.ts';

const none = { created: 0, unchanged: 0, replaced: 0, conflicts: 0, bad: 0, warnings: 0 };

describe('an import that was stopped', () => {
  const limits = { batchDocuments: 10 };
  const stopAfter = (documents: number) => {
    const controller = new AbortController();
    const onProgress = (progress: ImportProgress) => progress.documents >= documents && controller.abort();
    return { signal: controller.signal, onProgress: (progress: ImportProgress) => void onProgress(progress), limits };
  };

  it('continues after its last line, with correct line numbers', async () => {
    const lines = [...range(0, 40).map((document) => JSON.stringify(document)), 'oops'].join('\n');
    const folder = await filesWith({ 'a.jsonl': lines, 'b.jsonl': jsonl(range(40, 60)) });
    const library = await freshLibrary();
    const first = await importVcons(library, [folder], stopAfter(20));
    expect(first).toMatchObject({ outcome: 'stopped', counts: { ...none, created: 20 } });
    const second = await importVcons(library, [folder], { limits });
    expect(second).toMatchObject({ outcome: 'complete', counts: { ...none, created: 40, bad: 1 } });
    const source = join(folder, 'a.jsonl');
    expect(second.resumed).toEqual([{ source, line: 20 }]);
    expect(second.problems).toMatchObject([{ source, line: 41 }]);
    // No position is stored any more.
    expect(await library.store.db.selectFrom('import_place').selectAll().execute()).toEqual([]);
    expect((await importVcons(library, [folder])).resumed).toEqual([]);
  });

  it('starts over if the file or the options have changed', async () => {
    const folder = await filesWith({ 'a.jsonl': jsonl(range(0, 30)) });
    const library = await freshLibrary();
    await importVcons(library, [folder], stopAfter(10));
    const replacing = await importVcons(library, [folder], { ...stopAfter(10), replace: true });
    expect(replacing).toMatchObject({ outcome: 'stopped', counts: { ...none, unchanged: 10 }, resumed: [] });
    await writeFile(join(folder, 'a.jsonl'), jsonl(range(100, 130)));
    const changed = await importVcons(library, [folder], { limits, replace: true });
    expect(changed).toMatchObject({ outcome: 'complete', counts: { ...none, created: 30 }, resumed: [] });
    expect(await library.store.db.selectFrom('import_place').selectAll().execute()).toEqual([]);
  });

  it('ends though its stream sends nothing', async () => {
    const controller = new AbortController();
    const stream = new Readable({ read: () => {} });
    stream.push(jsonl(range(0, 1)));
    let taken = 0;
    const importing = importVcons(await freshLibrary(), [{ name: 'stdin', stream }], {
      signal: controller.signal,
      limits: { batchDocuments: 1 },
      onProgress: ({ documents }) => void (taken = documents),
    });
    await expect.poll(() => taken).toBe(1);
    // Lets the import begin to wait.
    await new Promise(setImmediate);
    controller.abort();
    expect(await importing).toMatchObject({ outcome: 'stopped', counts: { created: 1, bad: 0 } });
  });

  it('reports the completed part after a database failure', async () => {
    const folder = await filesWith({ 'a.jsonl': jsonl(range(0, 30)) });
    const place = await freshFolder();
    const library = await freshLibrary(place);
    const result = await importVcons(library, [folder], {
      limits: { batchDocuments: 10 },
      onProgress: ({ documents }) => {
        if (documents === 20) void library.close();
      },
    });
    expect(result).toMatchObject({ outcome: 'failed', failure: { code: 'DATABASE_ERROR' }, counts: { created: 20 } });
    const again = await importVcons(await freshLibrary(place), [folder]);
    expect(again).toMatchObject({ outcome: 'complete', counts: { ...none, created: 10 } });
    expect(again.resumed).toEqual([{ source: join(folder, 'a.jsonl'), line: 20 }]);
  });
});
