// Text that others wrote (names, contents, error messages, what a server prints), made safe for a terminal: a control
// character could move the cursor, change what is already shown, or set a title or the clipboard.

/** Everything that steers: control characters but line feed and tab, and invisible formatting but joiners (emoji). */
const steering = /\r\n|[^\P{Cc}\n\t]|[^\P{Cf}\u{200c}\u{200d}]|[\u{2028}\u{2029}]/gu;

/** `ESC` becomes `␛`; what has no picture is written as `<U+009B>`. Lines and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(steering, (found) => {
    const code = found === '\r\n' ? 0 : (found.codePointAt(0) ?? 0);
    if (found === '\r\n') return '\n';
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** The same for JSON, in which such characters can be escaped: it stays the same document. */
export function visibleJson(json: string): string {
  return json.replace(/[^\P{Cc}\n\r\t]|[^\P{Cf}\u{200c}\u{200d}]|[\u{2028}\u{2029}]/gu, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}
