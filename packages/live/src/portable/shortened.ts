// Text of limited length, for messages, logs and records. Half of a surrogate pair is not kept: databases and receivers
// of JSON may refuse it.

/** The first `longest` characters. */
export function startOf(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}

/** The same, followed by `…` if there are more. */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${startOf(text, longest)}…`;
}
