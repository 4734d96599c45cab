import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { embeddedCases } from './embedded-cases.ts';

describe('the embedded scheduler on SQLite', () => {
  for (const { name, run } of embeddedCases) {
    it(name, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tidings-schedules-'));
      try {
        await run(folder);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
