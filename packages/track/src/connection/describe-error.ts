// A failure in one line, with the reason that lies below it.
import { ProtocolError, SdkError } from '@modelcontextprotocol/client';

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = 'status' in error && typeof error.status === 'number' ? `HTTP ${error.status}: ` : '';
  const cause = error.cause instanceof Error ? ` (${error.cause.message || error.cause.name})` : '';
  return cut(`${status}${error.message}${cause}`);
}

/** Whether nobody answered: not an error the server sent, and not one that is only late. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ProtocolError) return false;
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

/** Some servers answer with a page. */
function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)} …` : line;
}
