// Which resources are watched: exact URIs, and everything listed that begins with a prefix.

export class Patterns {
  /** Watched whether listed or not: URIs of templates are never listed. */
  readonly exact: readonly string[];
  readonly #prefixes: readonly string[];

  /** `a://b` is a URI, `a://*` a prefix. No words at all match everything. */
  constructor(words: readonly string[]) {
    this.exact = words.filter((word) => !word.endsWith('*'));
    const prefixes = words.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
    this.#prefixes = words.length === 0 ? [''] : prefixes;
  }

  matches(uri: string): boolean {
    return this.exact.includes(uri) || this.#prefixes.some((prefix) => uri.startsWith(prefix));
  }

  /** Everything to watch while these are listed. */
  wanted(listed: Iterable<string>): string[] {
    return [...new Set([...this.exact, ...[...listed].filter((uri) => this.matches(uri))])];
  }
}
