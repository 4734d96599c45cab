// Documents are read back deep-equal: sample documents, if installed, and generated ones.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { documentsWith } from './generated-document.ts';
import { describeEngines } from './places.ts';
import { type Workbench, workbench } from './workbench.ts';

const samples = fileURLToPath(new URL('../../../shared/data/vcon/', import.meta.url));
const hasSamples = existsSync(samples);

/** Without the fields that the server adds when they are missing. */
function given(document: object, readBack: object): object {
  const kept = Object.entries(readBack).filter(
    ([key]) => Object.hasOwn(document, key) || !['uuid', 'created_at'].includes(key),
  );
  return Object.fromEntries(kept);
}

async function roundTrip(bench: Workbench, documents: readonly object[]): Promise<void> {
  const accepted = documents.map((document) => bench.library.accept(document));
  await bench.library.putAll(accepted, { replace: true });
  for (const [index, { uuid }] of accepted.entries()) {
    const document = documents[index] ?? {};
    expect(given(document, Object(await bench.json(uuid)))).toEqual(document);
  }
}

describeEngines('documents', (newPlace) => {
  it('of any content', async () => {
    await using bench = await workbench(await newPlace());
    await fc.assert(
      fc.asyncProperty(fc.array(documentsWith('uuid'), { maxLength: 5 }), (documents) => roundTrip(bench, documents)),
      { numRuns: 30 },
    );
  });

  it.runIf(hasSamples)('of the samples, if installed', async () => {
    await using bench = await workbench(await newPlace());
    const lines = readFileSync(`${samples}fake-vcons.jsonl`, 'utf8').trim().split('\n');
    await roundTrip(
      bench,
      lines.map((line) => JSON.parse(line)),
    );
  });

  it.runIf(hasSamples)('of the examples of the working group, if installed', async () => {
    await using bench = await workbench(await newPlace());
    const folder = `${samples}wg-examples/`;
    // One after the other: some are versions of one vCon and share a uuid.
    for (const file of readdirSync(folder)) await roundTrip(bench, [JSON.parse(readFileSync(folder + file, 'utf8'))]);
  });
});
