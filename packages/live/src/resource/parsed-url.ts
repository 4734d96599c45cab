// The one place that parses a URL which may be none.

/** Not by `URL.canParse`: once optimised, that of Node 20 takes Latin-1 texts such as `https://é/` for malformed. */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
