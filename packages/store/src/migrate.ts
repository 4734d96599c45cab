// Migrates a schema: forward only, each step once, all in the caller's transaction, under a lock that keeps other
// processes out.
import type { LiveError } from '@tidings/live';
import { databaseError } from './database-error.ts';
import type { Migration, SchemaChange } from './store.ts';

interface SchemaState {
  /** Names of the steps that were applied, in order. */
  applied: readonly string[];
}

/** The steps still to apply. Refuses a schema that this program does not know. */
export function pending(
  { applied }: SchemaState,
  migrations: readonly Migration[],
  place: string,
): readonly Migration[] {
  const unknown = applied.find((name, index) => migrations[index]?.name !== name);
  if (unknown !== undefined) throw newerSchema(place, unknown);
  return migrations.slice(applied.length);
}

export async function takeSteps(
  steps: readonly Migration[],
  change: SchemaChange,
  record: (name: string) => Promise<void>,
): Promise<void> {
  for (const { name, up } of steps) {
    await up(change);
    await record(name);
  }
}

function newerSchema(place: string, step: string): LiveError {
  return databaseError(
    `${place} was written by a newer version of this program (it has "${step}"). Update this program, or use another data folder.`,
    undefined,
  );
}
