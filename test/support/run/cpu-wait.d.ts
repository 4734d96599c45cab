/** How long the main thread of a process has been ready to run without a CPU; 0 on other systems than Linux. */
export function cpuWaitMs(pid: number): number;

/** How long the main thread of a process has run; 0 on other systems than Linux. */
export function cpuMs(pid: number): number;
