// Responses of the hub's own routes: JSON, and errors in one form.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, LimitExceeded, LiveError, type Log, errorCodes } from '@tidings/live';
import { issueInWords } from '@tidings/live/internal';
import { z } from 'zod';
import { TokenRefused } from '../../access/issuer/token-refused.ts';

/** An error with another HTTP status than its code has by default. */
export class HttpRefusal extends LiveError {
  readonly status: number;

  constructor(status: number, code: ErrorCode, message: string) {
    super(code, message);
    this.status = status;
  }
}

/** The seconds after which to retry, where the error has them. */
export function retryAfterOf(error: unknown): number | undefined {
  return error instanceof LimitExceeded ? error.retryAfter : undefined;
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string };
}

/** The status and body for an error; an unexpected one is logged, and its text is not sent. */
export function answerForError(error: unknown, log: Log): { status: number; body: ErrorBody } {
  if (error instanceof LiveError) {
    const hasStatus = error instanceof HttpRefusal || error instanceof TokenRefused;
    const status = hasStatus ? error.status : errorCodes[error.code].http;
    return { status, body: { error: { code: error.code, message: error.message } } };
  }
  // The core class, because errors of `zod/mini` (the contract uses it) are not instances of `z.ZodError`.
  if (error instanceof z.core.$ZodError) {
    const message = error.issues.map(inWords).join('; ');
    return { status: 400, body: { error: { code: 'INVALID_PARAMS', message } } };
  }
  log.error({ err: error }, 'A request could not be answered.');
  return {
    status: 500,
    body: { error: { code: 'INTERNAL', message: 'An internal error occurred; the log has the reason.' } },
  };
}

function inWords(issue: z.core.$ZodIssue): string {
  const words = issueInWords(issue);
  return issue.path.length === 0 ? `request: ${words}` : words;
}

export function unauthenticated(): { status: number; body: ErrorBody } {
  const message = 'This hub requires a token: send "Authorization: Bearer …", or log in with a browser at /login.';
  return { status: 401, body: { error: { code: 'PERMISSION_DENIED', message } } };
}

/** For an error: if the rest of the request is not read, the connection cannot be used again. */
export function closingHeader({ complete }: IncomingMessage): { Connection?: 'close' } {
  return complete ? {} : { Connection: 'close' };
}

/** Closes the connection if the response has already begun. */
export function sendJson(res: ServerResponse, status: number, body: object): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const closing = status < 400 ? {} : closingHeader(res.req);
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...closing }).end(JSON.stringify(body));
}
