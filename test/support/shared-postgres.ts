// The PostgreSQL server that all test files of a run share: `initdb` and a start take seconds, a database does not.
import { z } from 'zod';
import { createDatabase } from './postgres.ts';

/** Names the address of the services that run-services.ts started. */
export const servicesVariable = 'TIDINGS_TEST_SERVICES';

const answerSchema = z.object({ port: z.int() });

/** The URL of a new, empty database. */
export async function freshDatabase(): Promise<string> {
  const address = process.env[servicesVariable];
  if (address === undefined) throw new Error(`${servicesVariable} is not set: run the tests with vitest.config.ts.`);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`PostgreSQL did not start: ${await answer.text()}`);
  return createDatabase(answerSchema.parse(await answer.json()).port);
}
