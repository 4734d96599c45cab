import { storeCases } from '@tidings/store/testing';
import { afterAll, beforeAll, it } from 'vitest';
import { describeWith } from '../support/needs.ts';
import { PostgresServer, postgresNeed } from '../support/postgres.ts';

describeWith(postgresNeed, 'a store in PostgreSQL', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);

  afterAll(() => server.remove());

  for (const { name, run } of storeCases) {
    it(name, () => run(async () => ({ place: await server.createDatabase(), remove: () => Promise.resolve() })));
  }
});
