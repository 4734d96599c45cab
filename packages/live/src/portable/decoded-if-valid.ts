// Percent-decodes a text from outside.

/** The decoded text; the text itself if it has a malformed escape, or one whose bytes are not UTF-8. */
export function decodedIfValid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
