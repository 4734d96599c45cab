// A file system of the test's own, in memory: small enough to fill, and it can be made read-only.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Need } from '../support/needs.ts';

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });
}

function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' });
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
  execFileSync('mount', ['-o', 'remount,ro', disk], { stdio: 'ignore' });
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
