// A function of a route has thrown something that is not meant for clients: says which one, for the log.
import { ProtocolError } from '@modelcontextprotocol/server';
import { LiveError } from '../error.ts';

export class HandlerFailure extends Error {
  override readonly name = 'HandlerFailure';
  /** For the log: `route` and `handler`. */
  readonly about: object;

  constructor(cause: unknown, about: object) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.about = about;
  }
}

/** What to throw instead: errors for clients stay as they are. */
export function failureOf(error: unknown, about: object): unknown {
  const isTold = error instanceof LiveError || error instanceof ProtocolError || error instanceof HandlerFailure;
  return isTold ? error : new HandlerFailure(error, about);
}
