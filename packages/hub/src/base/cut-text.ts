// Shortens what clients have sent, for the audit log.

/** A copy where it is cut: a part of a string would keep all of it in memory. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${Buffer.from(text.slice(0, length)).toString()}…`;
}
