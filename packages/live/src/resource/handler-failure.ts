// An error that a route's function threw and that is not meant for clients, with the name of the route and the
// function, for the log.
import { ProtocolError } from '@modelcontextprotocol/server';
import { LiveError } from '../base/error.ts';
import { messageOf } from '../portable/error-text.ts';

export class HandlerFailure extends Error {
  override readonly name = 'HandlerFailure';
  /** Log fields: `route` and `handler`. */
  readonly about: object;

  constructor(cause: unknown, about: object) {
    super(messageOf(cause), { cause });
    this.about = about;
  }
}

/** The error to throw instead. Errors that are meant for clients are returned unchanged. */
export function failureOf(error: unknown, about: object): unknown {
  const isTold = error instanceof LiveError || error instanceof ProtocolError || error instanceof HandlerFailure;
  return isTold ? error : new HandlerFailure(error, about);
}
