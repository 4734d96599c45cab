// The options of scripts/chaos.js, and the progress output of a long run.
import { z } from 'zod';

export const chaosOptions = z
  .object({
    minutes: z.coerce.number().default(5),
    faults: z.coerce.number().optional(),
    seed: z.coerce.number().default(() => Date.now() % 1_000_000),
    store: z.enum(['sqlite', 'postgres', 'both']).default('both'),
    clients: z.coerce.number().optional(),
    only: z.string().optional(),
    every: z.coerce.number().optional(),
  })
  .parse(JSON.parse(process.env['TIDINGS_CHAOS'] ?? '{}'));

export function say(text: string): void {
  process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

/** Prints the missed limits and the command that repeats the run. */
export function sayMissed(problems: readonly string[], flags: readonly string[] = []): void {
  if (problems.length === 0) return;
  const again = Object.entries(chaosOptions).map(([name, value]) => `--${name} ${JSON.stringify(value)}`);
  say(`MISSED: ${problems.join('; ')}\nTo see it again: npm run chaos -- ${[...flags, ...again].join(' ')}`);
}
