// On a busy machine a process waits for a CPU, and is late for that reason only. Linux says how long its main thread
// has run and waited; on other systems all times are 0.
import { readFileSync } from 'node:fs';

/** How long the main thread of a process has been ready to run without a CPU. @param {number} pid */
export function cpuWaitMs(pid) {
  return timesOf(pid).waitedMs;
}

/** How long the main thread of a process has run. @param {number} pid */
export function cpuMs(pid) {
  return timesOf(pid).ranMs;
}

/** @param {number} pid */
function timesOf(pid) {
  try {
    const [ranNs = 0, waitedNs = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return { ranMs: ranNs / 1_000_000, waitedMs: waitedNs / 1_000_000 };
  } catch {
    // It has ended, or this is another system.
    return { ranMs: 0, waitedMs: 0 };
  }
}
