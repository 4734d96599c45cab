// Everything `tidings serve` can serve, one entry each.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { type Flag, type Servable, servable } from './servable.ts';

const folder = {
  placeholder: 'dir',
  summary: 'the folder whose files are served',
  variable: 'TIDINGS_FOLDER',
  required: true,
  parse: existingFolder,
} as const satisfies Flag;

export const servables: readonly Servable[] = [
  servable({
    name: 'counter',
    summary: 'a number, and a tool that increments it',
    create: async () => (await import('@tidings/examples/counter')).createCounter(),
  }),
  servable({
    name: 'files',
    summary: 'the files of a folder',
    flags: { folder },
    create: async ({ folder }) => (await import('@tidings/examples/files')).createFiles(folder),
  }),
  servable({
    name: 'clock',
    summary: 'the time in any time zone',
    create: async () => (await import('@tidings/examples/clock')).createClock(),
  }),
];

function existingFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('There is no such folder.');
  }
  return resolve(path);
}
