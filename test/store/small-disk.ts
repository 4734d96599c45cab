// A small file system in memory that a test can fill or make read-only.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Need } from '../support/run/needs.ts';

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' });
}

function mount(folder: string, options: string): void {
  run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder);
}

/** Works also while files are open. */
function unmount(folder: string): void {
  run('umount', '--lazy', folder);
}

export function smallDisk(megabytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-disk-'));
  mount(folder, `size=${megabytes}m`);
  onTestFinished(() => {
    unmount(folder);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

export function makeReadOnly(disk: string): void {
  run('mount', '-o', 'remount,ro', disk);
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-disk-'));
  try {
    mount(folder, 'size=1m');
    unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const mountNeed: Need = {
  what: 'the right to mount a tmpfs',
  isThere: canMount(),
  install: 'run the tests as root, on Linux',
};
