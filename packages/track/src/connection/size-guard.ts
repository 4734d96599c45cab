// Keeps an HTTP answer from growing without limit: JSON by its length, an event stream by its longest
// line, since it may go on for ever.
import { z } from 'zod';
import { passBody } from './pass-body.ts';
import { tooLarge, tooLargeAnswer } from './too-large.ts';

export interface SizeLimit {
  maxBytes: number;
  /** The request this answers, if it is one. */
  id?: string | number | undefined;
}

const requestSchema = z.object({ id: z.union([z.string(), z.number()]) });

/** The id of the request in a body. */
export function answeredBy(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  return requestSchema.safeParse(JSON.parse(body)).data?.id;
}

export function guardSize(response: Response, limit: SizeLimit): Response {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  // No body is longer than it says.
  if (!isStream && Number(response.headers.get('content-length') ?? Infinity) <= limit.maxBytes) return response;
  return passBody(response, { pass: isStream ? guardLines(limit) : guardLength(limit) }).response;
}

function guardLength({ maxBytes }: SizeLimit): (chunk: Uint8Array) => Uint8Array {
  let length = 0;
  return (chunk) => {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    return chunk;
  };
}

/** What is too long is cut off, and the request it belongs to answered with an error. */
function guardLines({ maxBytes, id }: SizeLimit): (chunk: Uint8Array) => Uint8Array | undefined {
  let length = 0;
  let isSkipping = false;
  return (chunk) => {
    const lastLine = chunk.lastIndexOf(10);
    if (isSkipping) {
      const end = chunk.indexOf(10);
      if (end === -1) return undefined;
      isSkipping = false;
      length = chunk.length - 1 - lastLine;
      return chunk.subarray(end);
    }
    length = lastLine === -1 ? length + chunk.length : chunk.length - 1 - lastLine;
    if (length <= maxBytes) return chunk;
    isSkipping = true;
    const answer = id === undefined ? '' : `data: ${JSON.stringify(tooLargeAnswer(id, maxBytes))}\n\n`;
    return new TextEncoder().encode(`\n\n${answer}`);
  };
}
