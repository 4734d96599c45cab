// Shortens text of clients for the audit log.
import { shortened } from '@tidings/live/portable';

/** Copies the part: a substring would keep the whole string in memory. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(shortened(text, length)).toString();
}
