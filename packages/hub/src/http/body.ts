// The JSON body of a request, as long as it is not too long.
import type { IncomingMessage } from 'node:http';
import { LiveError } from '@tidings/live';

const mostBytes = 64 * 1024;

export async function bodyOf(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req) {
    size += chunk.length;
    if (size > mostBytes) throw new LiveError('LIMIT_EXCEEDED', `A body may have at most ${mostBytes} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new LiveError('INVALID_PARAMS', 'The body is not JSON.');
  }
}
