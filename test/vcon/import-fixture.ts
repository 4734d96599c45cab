// Files to import and a library for them, removed after the test.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Library, exportVcons, openLibrary } from '@tidings/vcon';
import { onTestFinished } from 'vitest';

export async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-import-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a folder with these files. */
export async function filesWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await freshFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export async function freshLibrary(place?: string): Promise<Library> {
  const library = await openLibrary(place ?? (await freshFolder()));
  onTestFinished(() => library.close());
  return library;
}

export function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** A document that differs from those with other numbers. */
export function numbered(n: number, more: object = {}) {
  return { uuid: uuidOf(n), created_at: new Date(1_700_000_000_000 + n).toISOString(), subject: `Call ${n}`, ...more };
}

export function jsonl(documents: readonly object[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join('');
}

/** The documents with the numbers `from` (included) to `to` (excluded). */
export function range(from: number, to: number): object[] {
  return Array.from({ length: to - from }, (_, index) => numbered(from + index));
}

export async function exported(library: Library, options?: Parameters<typeof exportVcons>[2]): Promise<object[]> {
  const documents: object[] = [];
  await exportVcons(library, (line) => void documents.push(JSON.parse(line)), options);
  return documents;
}
