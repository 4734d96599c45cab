// Parses a text that may not be a URL; the only place that does so.

/** Does not use `URL.canParse`: once optimised, that of Node 20 refuses Latin-1 texts such as `https://é/`. */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
