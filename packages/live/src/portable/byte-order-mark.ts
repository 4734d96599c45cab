// The byte order mark, with which some editors begin a file.

const mark = '\uFEFF';

export function withoutMark(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text;
}

/** The mark, or nothing, and the text after it: for an edit that keeps the mark. */
export function splitMark(text: string): { mark: string; bare: string } {
  const bare = withoutMark(text);
  return { mark: text.slice(0, text.length - bare.length), bare };
}
