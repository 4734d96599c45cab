// Errors that reach the client with a JSON-RPC code of their own. The SDK turns every error of a tool into a result
// with `isError`; a gateway must return the error of the server behind it.

import { type Check, checkValue } from '../../base/check-options.ts';

const aWholeNumber: Check = { expected: 'a whole number', accepts: Number.isSafeInteger };

/**
 * The client gets a JSON-RPC error with this code and data, even from a tool.
 *
 * @example
 * throw new RpcError(-31099, 'Try another one.');
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    checkValue('The code of an RpcError', code, aWholeNumber);
    this.code = code;
    this.data = data;
  }
}
