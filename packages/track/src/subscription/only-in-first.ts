/** The elements of `first` that are not in `second`. */
export function onlyInFirst(first: Iterable<string>, second: ReadonlySet<string>): string[] {
  return [...first].filter((each) => !second.has(each));
}
