// What was thrown, as a message or as an error: `catch` gets any value.

/** Its message, for logs and messages about it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
