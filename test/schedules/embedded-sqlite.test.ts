import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { clockJumpCases } from './clock-jump-cases.ts';
import { embeddedCases } from './embedded-cases.ts';
import { historyCases } from './history-cases.ts';

describe('the embedded scheduler on SQLite', () => {
  for (const { name, run } of [...embeddedCases, ...clockJumpCases, ...historyCases]) {
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
