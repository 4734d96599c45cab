// What was thrown, as a message or as an error: `catch` gets any value.

/** The message of an error, for logs and other messages. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
