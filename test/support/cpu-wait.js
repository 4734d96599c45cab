// On a busy machine a process waits for a CPU, and is late for that reason only. Linux says how long it has waited.
import { readFileSync } from 'node:fs';

/** How long the main thread of a process has been ready to run without a CPU; 0 on other systems. @param {number} pid */
export function cpuWaitMs(pid) {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1_000_000;
  } catch {
    // It has ended, or this is another system.
    return 0;
  }
}
