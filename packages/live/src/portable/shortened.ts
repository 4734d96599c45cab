// Text of limited length, for messages, logs and records. Needs no Node.

/**
 * The first `longest` characters, followed by `…` if there are more. Half of a surrogate pair is not kept: databases and
 * receivers of JSON may refuse it.
 */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
