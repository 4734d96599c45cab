// The programs of test/fixtures, for tests that start them many times.
import { z } from 'zod';
import { sharedService } from './shared-services.ts';

const bundleSchema = z.object({ file: z.string() });

/** The path of a program that does the same as the file of this name, and starts in half the time. */
export async function fixture(name: string): Promise<string> {
  return bundleSchema.parse(await sharedService(`fixtures/${name}`)).file;
}
