import type { ChildProcess } from 'node:child_process';

/** Ends a process that was started as `detached`, with all processes that it has started. */
export function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  const hasEnded = exitCode !== null || signalCode !== null;
  if (pid === undefined || hasEnded) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch (error) {
    // It may have ended without Node having noticed yet.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
