// Which resources are watched: exact URIs, and everything listed that matches a pattern.
import { isPattern, uriPattern } from '@tidings/client/contract';

export class Patterns {
  /** Watched whether listed or not: URIs of templates are never listed. */
  readonly exact: readonly string[];
  readonly #patterns: readonly ReturnType<typeof uriPattern>[];

  /** `a://b` is a URI, `a://**` a pattern. No words at all match everything. */
  constructor(words: readonly string[]) {
    this.exact = words.filter((word) => !isPattern(word));
    this.#patterns = (words.length === 0 ? ['**'] : words.filter(isPattern)).map(uriPattern);
  }

  /** Whether only single URIs were named. */
  get areExact(): boolean {
    return this.#patterns.length === 0;
  }

  matches(uri: string): boolean {
    return this.exact.includes(uri) || this.#patterns.some((pattern) => pattern.test(uri));
  }

  /** Everything to watch while these are listed. */
  wanted(listed: Iterable<string>): string[] {
    return [...new Set([...this.exact, ...[...listed].filter((uri) => this.matches(uri))])];
  }
}
