// The servers for tests of list, read and watch: Tidings' own in each era and on each transport, and those of the
// 1.x SDK.
import { oldServer } from '../support/wire/old-server.ts';
import { bin } from './tidings-process.ts';

/** Arguments with which `tidings` starts one of its own servers. */
export function started(...serve: string[]): string[] {
  return ['--', process.execPath, bin, 'serve', ...serve];
}

export function startedOld(...args: string[]): string[] {
  return ['--', process.execPath, oldServer, ...args];
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
