// The text of a notification.
import { refusal } from './refusal.ts';

/** ntfy turns longer messages into attachments. */
const mostBytes = 4096;

export function checkMessage(message: string): string {
  const problem = problemOf(message);
  if (problem !== undefined) throw refusal(problem, '"Stand-up in ten minutes"');
  return message;
}

function problemOf(message: string): string | undefined {
  if (message.trim() === '') return 'The message is empty: say what the notification is about.';
  const bytes = Buffer.byteLength(message);
  if (bytes > mostBytes) return `The message has ${bytes} bytes, and at most ${mostBytes} can be sent: shorten it.`;
  // Some databases and phones accept neither.
  if (message.includes('\0') || !message.isWellFormed()) {
    return 'The message contains a character that is not text (NUL, or half of a surrogate pair): leave it out.';
  }
  return undefined;
}
