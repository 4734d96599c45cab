// Something arrived that is not a valid message and may have been a notification.

export class UnreadableMessage extends Error {
  constructor(why: string) {
    super(`A message could not be read: ${why}`);
    this.name = 'UnreadableMessage';
  }
}

/** Whether an error of a transport or the client means that a message was unreadable. */
export function isUnreadable(error: Error): boolean {
  if (error instanceof UnreadableMessage || error instanceof SyntaxError) return true;
  // The SDK validates messages with zod, and those of known methods again when they are handled.
  return 'issues' in error || /^(Uncaught error in notification handler|Unknown message type)/.test(error.message);
}
