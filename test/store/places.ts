// Places for stores, removed after the test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { NoteProcess } from './note-process.ts';

export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a process that ends with its test. */
export function noteProcess(...args: ConstructorParameters<typeof NoteProcess>): NoteProcess {
  const child = new NoteProcess(...args);
  onTestFinished(() => child.kill());
  return child;
}
