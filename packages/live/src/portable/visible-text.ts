// Makes text from outside (names, contents, error messages, a server's stderr) safe for a terminal: control characters
// could move the cursor, overwrite what is shown, or set the title or the clipboard.

/**
 * Control characters except line feed and tab, and invisible formatting characters except joiners (emoji need them).
 */
const steering = /\r\n|[^\P{Cc}\n\t]|[^\P{Cf}\u{200c}\u{200d}]|[\u{2028}\u{2029}]/gu;

/** `ESC` becomes `␛`; a character without a picture becomes `<U+009B>`. Line feeds and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(steering, (found) => {
    const code = found === '\r\n' ? 0 : (found.codePointAt(0) ?? 0);
    if (found === '\r\n') return '\n';
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** The same for JSON: escapes such characters, so that the document keeps its value. */
export function visibleJson(json: string): string {
  return json.replace(/[^\P{Cc}\n\r\t]|[^\P{Cf}\u{200c}\u{200d}]|[\u{2028}\u{2029}]/gu, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}
