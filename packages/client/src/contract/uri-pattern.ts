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

/** `**` matches anything, `*` anything without a slash; other text matches itself. */
export type PatternPart = { readonly literal: string } | { readonly wildcard: '**' | '*' };

/** The limit for a pattern that comes with a request. */
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

/** A wildcard and the text after it, which may be empty. */
interface PatternStep {
  readonly wildcard: '**' | '*';
  literal: string;
}

export function patternOf(parts: readonly PatternPart[]): UriPattern {
  const { start, steps } = stepsOf(parts);
  const last = steps.pop();
  if (last === undefined) return { test: (uri) => uri === start };
  const isFirstEnough = steps.map((_, index) => (steps[index + 1] ?? last).wildcard === '**');
  return {
    test(uri) {
      const end = uri.length - last.literal.length;
      // Most URIs differ from most patterns here already.
      if (end < start.length || !uri.startsWith(start) || !uri.endsWith(last.literal)) return false;
      let starts: readonly number[] = [start.length];
      for (const [index, step] of steps.entries()) {
        starts =
          step.wildcard === '*' ? afterStar(step, starts, uri) : afterStars(step, starts, uri, isFirstEnough[index]);
        if (starts.length === 0) return false;
      }
      const slash = last.wildcard === '*' && end > 0 ? uri.lastIndexOf('/', end - 1) : -1;
      return starts.some((at) => slash < at && at <= end);
    },
  };
}

function stepsOf(parts: readonly PatternPart[]): { start: string; steps: PatternStep[] } {
  let start = '';
  const steps: PatternStep[] = [];
  for (const part of parts) {
    const last = steps.at(-1);
    if ('wildcard' in part) steps.push({ wildcard: part.wildcard, literal: '' });
    else if (last) last.literal += part.literal;
    else start += part.literal;
  }
  return { start, steps };
}

// The offsets at which the text of a step may end if its wildcard begins at one of `starts`, sorted. Of starts without a
// slash between them only the first is needed: text that follows a later one also follows the first.

function afterStar({ literal }: PatternStep, starts: readonly number[], uri: string): number[] {
  const ends: number[] = [];
  let found = -1;
  for (const at of starts) {
    // Searched again only if the last match is behind.
    if (found < at) found = uri.indexOf(literal, at);
    if (found === -1) break;
    const slash = uri.indexOf('/', at);
    if (slash === -1 || found <= slash) ends.push(found + literal.length);
  }
  return ends;
}

/** `isFirstEnough`: what follows may be anywhere behind it. */
function afterStars(
  { literal }: PatternStep,
  [at = 0]: readonly number[],
  uri: string,
  isFirstEnough = false,
): number[] {
  const ends: number[] = [];
  for (let found = uri.indexOf(literal, at); found !== -1;) {
    const end = found + literal.length;
    ends.push(end);
    const slash = isFirstEnough ? -1 : uri.indexOf('/', end);
    if (slash === -1) break;
    found = uri.indexOf(literal, Math.max(found, slash - literal.length) + 1);
  }
  return ends;
}
