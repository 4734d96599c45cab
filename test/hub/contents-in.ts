// What stands between the marks of messages that hold contents.

/** Of each of these texts that is such a message. */
export function contentsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const [, mark, content] = /^Between the two marks (\w+) is .*\n\1\n([^]*)\n\1$/.exec(text) ?? [];
    return mark === undefined || content === undefined ? [] : [content];
  });
}
