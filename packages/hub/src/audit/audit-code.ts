// Why a request failed, with the same codes for all routes: those of docs/errors.md, and names for the numbers of the
// protocols.

const ofProtocol: Readonly<Record<string, string>> = {
  '-32700': 'PARSE_ERROR',
  '-32600': 'INVALID_REQUEST',
  '-32601': 'METHOD_NOT_FOUND',
  '-32602': 'INVALID_PARAMS',
  '-32603': 'INTERNAL',
  '-32800': 'CANCELLED',
  '-32002': 'RESOURCE_NOT_FOUND',
};

const ofStatus: Readonly<Record<string, string>> = {
  400: 'INVALID_PARAMS',
  401: 'PERMISSION_DENIED',
  403: 'PERMISSION_DENIED',
  404: 'RESOURCE_NOT_FOUND',
  405: 'METHOD_NOT_FOUND',
  413: 'LIMIT_EXCEEDED',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'LIMIT_EXCEEDED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

const refusals = new Set(['PERMISSION_DENIED', 'LIMIT_EXCEEDED', 'UNSUPPORTED_MEDIA_TYPE', 'WRONG_TOKEN']);

/** `given`: a code, a number of JSON-RPC, or `HTTP_` and a status. */
export function auditCode(given: string): string {
  const status = /^HTTP_(\d+)$/.exec(given)?.[1];
  return (status === undefined ? ofProtocol[given] : ofStatus[status]) ?? given;
}

export function outcomeOf(code: string | undefined): 'ok' | 'error' | 'refused' {
  if (code === undefined) return 'ok';
  return refusals.has(code) ? 'refused' : 'error';
}
