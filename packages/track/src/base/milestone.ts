// Which failures in a row are worth a line in the journal: the first, the second, the fourth and so on,
// so that what stays broken for days is told of again and does not push out everything else.

export function isMilestone(failures: number): boolean {
  return Number.isInteger(Math.log2(failures));
}
