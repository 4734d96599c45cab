// On a busy machine a process waits for a CPU, and is late for that reason only. Linux says how long its threads have
// run and waited; on other systems all times are 0.
import { readFileSync, readdirSync } from 'node:fs';

/** How long the main thread of a process has been ready to run without a CPU. @param {number} pid */
export function cpuWaitMs(pid) {
  return threadTimes(pid, pid).waitedMs;
}

/** The threads of a process, by id, which is that of the process for the main one. @param {number} pid */
export function threadsOf(pid) {
  try {
    return new Map(readdirSync(`/proc/${pid}/task`).map((id) => [Number(id), threadTimes(pid, Number(id))]));
  } catch {
    return new Map();
  }
}

/** @param {number} pid @param {number} id */
function threadTimes(pid, id) {
  try {
    const [ranNs = 0, waitedNs = 0] = readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ').map(Number);
    return { ranMs: ranNs / 1_000_000, waitedMs: waitedNs / 1_000_000 };
  } catch {
    // It has ended, or this is another system.
    return { ranMs: 0, waitedMs: 0 };
  }
}
