// Extracts the contents from messages, where they stand between two marks.

/** The contents in those of the texts that are such messages. */
export function contentsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const [, mark, content] = /^Between the two marks (\w+) is .*\n\1\n([^]*)\n\1$/.exec(text) ?? [];
    return mark === undefined || content === undefined ? [] : [content];
  });
}
