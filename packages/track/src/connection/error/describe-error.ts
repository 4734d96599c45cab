// An error in one line, with its root cause.
import { ProtocolError, SdkError } from '@modelcontextprotocol/client';
import { LiveError } from '@tidings/live';
import { shortLine, systemCode } from '@tidings/live/portable';

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = 'status' in error && typeof error.status === 'number' ? `HTTP ${error.status}: ` : '';
  const root = rootOf(error);
  // Some servers answer with an HTML page.
  return shortLine(`${status}${error.message}${root === error ? '' : ` (${wordsOf(root)})`}`, longest);
}

/** The innermost cause: those in between only say that something failed. */
function rootOf(error: Error, depth = 0): Error {
  return error.cause instanceof Error && depth < deepest ? rootOf(error.cause, depth + 1) : error;
}

const deepest = 5;
const longest = 300;

/** An error after several tried addresses has a code and no message. */
function wordsOf(error: Error): string {
  return error.message || (systemCode(error) ?? error.name);
}

/** Whether the server did not answer at all. An error response is an answer, and a timeout may be a slow server. */
export function isOutage(error: unknown): boolean {
  // A LiveError describes an answer that arrived and was rejected.
  if (error instanceof ProtocolError || error instanceof LiveError) return false;
  return !(error instanceof SdkError) || !stillThere.has(error.code);
}

const stillThere: ReadonlySet<string> = new Set([
  'REQUEST_TIMEOUT',
  'CAPABILITY_NOT_SUPPORTED',
  'INVALID_RESULT',
  'UNSUPPORTED_RESULT_TYPE',
  'LIST_PAGINATION_EXCEEDED',
  'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
]);
