// Why a session with a server could not be opened: a message, and codes for programs.
import { InsufficientScopeError, SdkError } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { systemCode } from '@tidings/live/portable';
import { causes } from '../../base/causes.ts';
import type { Conceal } from './concealer.ts';
import { describeError } from './describe-error.ts';

/**
 * A session with a server could not be opened. The message says why, without secrets.
 *
 * @example
 * if (error instanceof ConnectFailure && error.httpStatus === 401) console.error('Log in first.');
 */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  /** The status, if the server answered with an HTTP error. */
  readonly httpStatus: number | undefined;
  /** A code of the operating system, of TLS or of fetch, such as `ECONNREFUSED` or `ENOENT`. */
  readonly systemCode: string | undefined;
  /** Whether the server requires a login, or a login with more rights. */
  readonly needsLogin: boolean;

  /** Sets no `cause`: the original error may hold secrets, and descriptions of errors include their causes. */
  constructor(error: unknown, conceal: Conceal) {
    super(describeError(error, conceal));
    const chain = causes(error);
    this.httpStatus = chain.map((each) => ('status' in each ? each.status : undefined)).find(isStatus);
    this.needsLogin = chain.some(needsLogin);
    this.systemCode = chain.filter(isOfSystem).map(systemCode).find(isSystemCode);
  }
}

const unauthorized = 401;

/** Whether the error means that the server requires a login, or one with more rights. */
export function needsLogin(error: unknown): boolean {
  return error instanceof InsufficientScopeError || Object(error).status === unauthorized;
}

function isStatus(status: unknown): status is number {
  return typeof status === 'number';
}

/** Codes of the SDK and of a `LiveError` are written like those of the system. */
function isOfSystem(error: Error): boolean {
  return !(error instanceof SdkError || error instanceof LiveError);
}

/** A code of the system, of TLS or of fetch. */
function isSystemCode(code: string | undefined): code is string {
  return code !== undefined && /^(E[A-Z_]+|UND_ERR\w+|UNABLE_\w+|\w*CERT\w*)$/.test(code);
}
