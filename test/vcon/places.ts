// The engines that store vCons, with a new place for every test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';

/** A new, empty place. */
export type NewPlace = () => Promise<string>;

/** Runs the same tests on both engines. */
export function describeEngines(name: string, block: (newPlace: NewPlace) => void): void {
  describe(`${name}, on SQLite`, () => {
    const folders: string[] = [];
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    block(async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tidings-vcon-'));
      folders.push(folder);
      return folder;
    });
  });

  describeWith(postgresNeed, `${name}, on PostgreSQL`, () => {
    block(freshDatabase);
  });
}
