// Bundles of programs that tests start many times; program-bundles.ts makes them once per run.
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sharedService } from '../run/shared-services.ts';

const bundleSchema = z.object({ file: z.string() });

/** The path of a bundle of this program, which starts in half the time. The program must not depend on its own path. */
export async function bundledProgram(program: URL): Promise<string> {
  const query = new URLSearchParams({ file: fileURLToPath(program) });
  return bundleSchema.parse(await sharedService(`program?${query.toString()}`)).file;
}

/** A program of test/fixtures. */
export function fixture(name: string): Promise<string> {
  return bundledProgram(new URL(`../../fixtures/${name}`, import.meta.url));
}
