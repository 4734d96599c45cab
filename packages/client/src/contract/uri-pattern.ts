// Patterns of URIs, one language for the configuration, requests and commands:
//   a://b     that URI
//   a://*     within a segment: a://b, not a://b/c
//   a://**    across segments: a://b and a://b/c
//
// Patterns come with requests, so none of them may take long: a regular expression would try every way to divide a URI
// among the wildcards. Here a pattern costs at most its parts times the length of the URI.

export interface UriPattern {
  test(this: void, uri: string): boolean;
}

/** `**` is anything, `*` anything without a slash; any other text stands for itself. */
export type PatternPart = { readonly literal: string } | { readonly wildcard: '**' | '*' };

/** More are refused where a pattern comes with a request. */
export const mostWildcards = 32;

/** Whether this is a pattern rather than the URI of one resource. */
export function isPattern(text: string): boolean {
  return text.includes('*');
}

export function wildcardsIn(pattern: string): number {
  return patternParts(pattern).filter((part) => 'wildcard' in part).length;
}

export function uriPattern(pattern: string): UriPattern {
  return patternOf(patternParts(pattern));
}

export function patternParts(pattern: string): PatternPart[] {
  const texts = pattern.split(/(\*\*|\*)/).filter((text) => text !== '');
  return texts.map((text) => (text === '*' || text === '**' ? { wildcard: text } : { literal: text }));
}

export function patternOf(given: readonly PatternPart[]): UriPattern {
  const last = given.at(-1);
  const isOpen = last !== undefined && 'wildcard' in last && last.wildcard === '**';
  const parts = isOpen ? given.slice(0, -1) : given;
  return {
    test(uri) {
      let ends: readonly number[] = [0];
      for (const part of parts) {
        ends = 'literal' in part ? afterLiteral(part.literal, ends, uri) : afterWildcard(part.wildcard, ends, uri);
        if (ends.length === 0) return false;
      }
      // A `**` at the end matches any rest.
      return isOpen || ends.at(-1) === uri.length;
    },
  };
}

function afterLiteral(literal: string, starts: readonly number[], uri: string): number[] {
  return starts.filter((start) => uri.startsWith(literal, start)).map((start) => start + literal.length);
}

/** Where a wildcard may end that begins at one of `starts`: sorted, each once. */
function afterWildcard(wildcard: '**' | '*', starts: readonly number[], uri: string): number[] {
  const ends: number[] = [];
  for (const start of starts) {
    // An earlier start already reached this far.
    if (start <= (ends.at(-1) ?? -1)) continue;
    for (let end = start; end <= uri.length; end += 1) {
      ends.push(end);
      if (wildcard === '*' && uri[end] === '/') break;
    }
  }
  return ends;
}
