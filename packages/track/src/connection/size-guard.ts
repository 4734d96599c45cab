// Keeps an HTTP answer from growing without limit: JSON by its length, an event stream by its longest
// line, since it may go on for ever.
import { z } from 'zod';
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
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const guard = isStream ? guardLines(limit) : guardLength(limit);
  return new Response(response.body.pipeThrough(guard), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
}

function guardLength({ maxBytes }: SizeLimit): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > maxBytes) controller.error(tooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
}

/** What is too long is cut off, and the request it belongs to answered with an error. */
function guardLines({ maxBytes, id }: SizeLimit): TransformStream<Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  let length = 0;
  let isSkipping = false;
  return new TransformStream({
    transform(chunk, controller) {
      const lastLine = chunk.lastIndexOf(10);
      if (isSkipping) {
        const end = chunk.indexOf(10);
        if (end === -1) return;
        isSkipping = false;
        length = chunk.length - 1 - lastLine;
        controller.enqueue(chunk.subarray(end));
        return;
      }
      length = lastLine === -1 ? length + chunk.length : chunk.length - 1 - lastLine;
      if (length <= maxBytes) return controller.enqueue(chunk);
      isSkipping = true;
      const answer = id === undefined ? '' : `data: ${JSON.stringify(tooLargeAnswer(id, maxBytes))}\n\n`;
      controller.enqueue(encoder.encode(`\n\n${answer}`));
    },
  });
}
