import { afterAll, beforeAll, it } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { PostgresServer, postgresNeed } from '../support/postgres.ts';
import { embeddedCases } from './embedded-cases.ts';

describeWith(postgresNeed, 'the embedded scheduler on PostgreSQL', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);

  afterAll(() => server.remove(), 60_000);

  for (const { name, run } of embeddedCases) {
    it(name, async () => run(await server.createDatabase()));
  }
});
