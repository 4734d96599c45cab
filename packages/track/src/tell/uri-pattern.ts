// Patterns come with requests, so none of them may take long: a regular expression would try every way to share
// a URI out among the stars.

export interface UriPattern {
  test(this: void, uri: string): boolean;
}

/** `**` is anything, `*` anything without a slash, everything else is itself. */
export function uriPattern(pattern: string): UriPattern {
  const parts = pattern.split(/(\*\*|\*)/);
  return {
    test(uri) {
      let ends: readonly number[] = [0];
      for (const part of parts) ends = endsOf(part, ends, uri);
      return ends.at(-1) === uri.length;
    },
  };
}

/** Where in the URI a part of the pattern may end that begins at one of `starts`: in order, each once. */
function endsOf(part: string, starts: readonly number[], uri: string): number[] {
  if (part !== '*' && part !== '**') {
    return starts.filter((start) => uri.startsWith(part, start)).map((start) => start + part.length);
  }
  const ends: number[] = [];
  for (const start of starts) {
    // An earlier one went as far as this one would.
    if (start <= (ends.at(-1) ?? -1)) continue;
    for (let end = start; end <= uri.length; end += 1) {
      ends.push(end);
      if (part === '*' && uri[end] === '/') break;
    }
  }
  return ends;
}
