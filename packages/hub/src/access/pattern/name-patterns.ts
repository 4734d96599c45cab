// Patterns of names of tools and prompts, in which a star matches any characters.
import { type PatternPart, type UriPattern, patternOf, patternParts } from '@tidings/client/contract';

export interface NamePattern {
  parts: readonly PatternPart[];
  pattern: UriPattern;
}

export function namePatterns(texts: readonly string[]): NamePattern[] {
  // A name may contain a slash, which a star matches like any other character.
  const all = texts.map((each) => patternParts(each.replaceAll(/\*+/g, '**')));
  return all.map((parts) => ({ parts, pattern: patternOf(parts) }));
}
