// The PostgreSQL server that all test files of a run share: starting one takes seconds, creating a database does not.
import { z } from 'zod';
import { createDatabase } from './postgres.ts';
import { sharedService } from '../run/shared-services.ts';

const answerSchema = z.object({ port: z.int() });

/** The URL of a new, empty database. */
export async function freshDatabase(): Promise<string> {
  return createDatabase(answerSchema.parse(await sharedService('postgres')).port);
}
