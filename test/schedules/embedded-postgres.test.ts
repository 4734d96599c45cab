import { it } from 'vitest';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { embeddedCases } from './embedded-cases.ts';

describeWith(postgresNeed, 'the embedded scheduler on PostgreSQL', () => {
  for (const { name, run } of embeddedCases) {
    it(name, async () => run(await freshDatabase()));
  }
});
