// A file that is larger than the memory of the process that imports it.
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tidings } from '../cli/tidings-process.ts';
import { freshFolder, numbered } from '../vcon/import-fixture.ts';

const heapMegabytes = 56;
const documentBytes = 1_000_000;
const documents = 60;
const hole = 600_000_000;

/** Buffers are outside the heap, so a heap limit does not bound them. */
const tellsPeak = `data:text/javascript,process.on('exit',()=>console.error('peak '+process.resourceUsage().maxRSS))`;

it.each([
  ['lines', 'calls.jsonl', ['', '\n', '']],
  ['a list', 'calls.json', ['[', ',\n', ']']],
] as const)('%s', async (_, name, [before, between, after]) => {
  const file = join(await freshFolder(), name);
  const body = randomBytes((documentBytes * 3) / 4).toString('base64url');
  const handle = await open(file, 'w');
  await handle.write(before);
  for (let n = 0; n < documents; n += 1) {
    const dialog = {
      type: 'recording',
      start: '2025-01-01T00:00:00Z',
      mediatype: 'audio/wav',
      encoding: 'base64url',
      body,
    };
    await handle.write(`${n === 0 ? '' : between}${JSON.stringify(numbered(n, { dialog: [dialog] }))}`);
  }
  // A document that alone exceeds the limit. Most of it is a hole in the file.
  await handle.write(`${between}{"uuid": "`);
  const { size } = await handle.stat();
  const rest = `"}${between}${JSON.stringify(numbered(documents))}${after}`;
  await handle.write(rest, size + hole);
  await handle.close();

  const { stdout, stderr } = await tidings(['import', file, '--data', await freshFolder(), '--json'], {
    nodeOptions: [`--max-old-space-size=${heapMegabytes}`, '--import', tellsPeak],
  });
  expect(JSON.parse(stdout)).toMatchObject({
    counts: { created: documents + 1, bad: 1 },
    problems: [
      { line: documents + 1, reason: expect.stringMatching(/^longer than .* it has 601 MB, the most is 64 MB$/) },
    ],
  });
  const [, peak] = /^peak (\d+)$/m.exec(stderr) ?? [];
  expect(Number(peak) * 1024).toBeLessThan(hole);
});
