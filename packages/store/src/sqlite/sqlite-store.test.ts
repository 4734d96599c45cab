import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { storeCases } from '../testing/store-cases.ts';

describe('a store in a folder', () => {
  for (const { name, run } of storeCases) {
    it(name, () =>
      run(async () => {
        const place = await mkdtemp(join(tmpdir(), 'tidings-store-'));
        return { place, remove: () => rm(place, { recursive: true }) };
      }),
    );
  }
});
