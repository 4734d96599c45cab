// Programs that tests start many times, as program-bundles.ts makes them for all test files of a run.
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sharedService } from './shared-services.ts';

const bundleSchema = z.object({ file: z.string() });

/**
 * The path of a program that does the same as this one, and starts in half the time. The program must not depend on
 * where its file is.
 */
export async function bundledProgram(program: URL): Promise<string> {
  const query = new URLSearchParams({ file: fileURLToPath(program) });
  return bundleSchema.parse(await sharedService(`program?${query.toString()}`)).file;
}

/** A program of test/fixtures. */
export function fixture(name: string): Promise<string> {
  return bundledProgram(new URL(`../fixtures/${name}`, import.meta.url));
}
