import { it } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { postgresNeed } from '../support/postgres.ts';
import { freshDatabase } from '../support/shared-postgres.ts';
import { embeddedCases } from './embedded-cases.ts';

describeWith(postgresNeed, 'the embedded scheduler on PostgreSQL', () => {
  for (const { name, run } of embeddedCases) {
    it(name, async () => run(await freshDatabase()));
  }
});
