/** The elements of `a` that are not in `b`. */
export function difference(a: Iterable<string>, b: ReadonlySet<string>): string[] {
  return [...a].filter((each) => !b.has(each));
}
