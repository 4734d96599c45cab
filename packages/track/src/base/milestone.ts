// Which of repeated failures are journaled: the first, second, fourth, eighth and so on. A lasting failure is reported
// again and again, but does not push other events out of the journal.

export function isMilestone(failures: number): boolean {
  return Number.isInteger(Math.log2(failures));
}
