// Which of repeated failures are journaled: the first, second, fourth, eighth and so on. So a lasting failure is
// reported again, and does not push other events out of the journal.

export function isMilestone(failures: number): boolean {
  return Number.isInteger(Math.log2(failures));
}
