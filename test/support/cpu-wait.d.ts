/** How long a thread has run, and has been ready to run without a CPU. */
interface ThreadTimes {
  ranMs: number;
  waitedMs: number;
}

/** How long the main thread of a process has been ready to run without a CPU; 0 on other systems than Linux. */
export function cpuWaitMs(pid: number): number;

/** The threads of a process, by id, which is that of the process for the main one. */
export function threadsOf(pid: number): Map<number, ThreadTimes>;
