// The time that a process has run or waited for a CPU, to tell delays of a busy machine from others. From Linux's
// `schedstat`; 0 on other systems.
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
