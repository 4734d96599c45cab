// Something came that is no message, and may have been one: what it told of is not known.

export class UnreadableMessage extends Error {
  constructor(why: string) {
    super(`A message could not be read: ${why}`);
    this.name = 'UnreadableMessage';
  }
}

/** Of what a transport or the client reports, whether it means that. */
export function isUnreadable(error: Error): boolean {
  if (error instanceof UnreadableMessage || error instanceof SyntaxError) return true;
  // The SDK checks messages with zod, and those of known methods again when they are handled.
  return 'issues' in error || /^(Uncaught error in notification handler|Unknown message type)/.test(error.message);
}
