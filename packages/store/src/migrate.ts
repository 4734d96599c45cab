// Brings a schema up to date: forward only, each step once, all in the transaction of the caller, who
// holds whatever lock keeps other processes out.
import type { LiveError } from '@tidings/live';
import { databaseError } from './database-error.ts';
import type { Migration, SchemaChange } from './store.ts';

export interface SchemaState {
  /** Names of the steps that have been taken, in order. */
  applied: readonly string[];
}

/** The steps still to take. Refuses a schema that this program does not know. */
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
