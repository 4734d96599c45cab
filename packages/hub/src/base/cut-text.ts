// Shortens text of clients for the audit log.

/** Copies the part: a substring would keep the whole string in memory. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${Buffer.from(text.slice(0, length)).toString()}…`;
}
