// Reads the body of a request, up to a limit.
import type { IncomingMessage } from 'node:http';
import { LiveError } from '@tidings/live';
import { readUpTo } from '@tidings/live/internal';
import { HttpRefusal } from './answer.ts';

const mostBytes = 64 * 1024;
const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * A form on another page can send text and form fields, but not JSON, so requests that change something must have the
 * content type of JSON. A DELETE without a body cannot come from a form.
 */
export function assertJson({ method = 'GET', headers }: IncomingMessage): void {
  if (!changing.has(method)) return;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (method === 'DELETE' && !hasBody) return;
  if (/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return;
  throw new HttpRefusal(415, 'INVALID_PARAMS', `Send "Content-Type: application/json" with ${method}, and JSON.`);
}

export async function bodyOf(req: IncomingMessage, limit = mostBytes): Promise<unknown> {
  try {
    return JSON.parse(await bodyText(req, limit));
  } catch (error) {
    if (error instanceof LiveError) throw error;
    throw new LiveError('INVALID_PARAMS', 'The body is not JSON.');
  }
}

export async function bodyText(req: IncomingMessage, limit = mostBytes): Promise<string> {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    const message = 'The body of a request must not be compressed: send it without Content-Encoding.';
    throw new HttpRefusal(415, 'INVALID_PARAMS', message);
  }
  const bytes = await readUpTo(req, limit);
  if (bytes.length > limit) throw new LiveError('LIMIT_EXCEEDED', `A body may have at most ${limit} bytes.`);
  return String(bytes);
}
