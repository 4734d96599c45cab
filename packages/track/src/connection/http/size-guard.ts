// Limits the size of an HTTP response after decompression: of JSON by its length, of an event stream by its
// largest event, since the stream may never end. Both are also checked for their shape.
import { z } from 'zod';
import { EventScan } from './event-scan.ts';
import type { LargeBodies } from './large-bodies.ts';
import { JsonShape, shortestSuspect } from '../json-shape.ts';
import type { MessagePace } from '../message-pace.ts';
import { type BodyPassage, passBody } from './pass-body.ts';
import { refusedAnswer, tooComplex, tooLarge } from '../too-large.ts';

export interface SizeLimit {
  maxBytes: number;
  /** The request this answers, if any. */
  id?: string | number | undefined;
  /** Limits the rate of events that answer no request. */
  pace?: MessagePace;
  /** Limits how many large answers are received at once. */
  large?: LargeBodies;
  /** Called for a rejected event that answers no request. */
  refused?(this: void): void;
}

const requestSchema = z.object({ id: z.union([z.string(), z.number()]) });

/** The id of the request in a body. */
export function answeredBy(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  return requestSchema.safeParse(JSON.parse(body)).data?.id;
}

export function guardSize(response: Response, limit: SizeLimit): Response {
  const { headers } = response;
  const isStream = headers.get('content-type')?.trim().toLowerCase().startsWith('text/event-stream') === true;
  if (!isStream && isShort(headers)) return response;
  return passBody(response, isStream ? guardEvents(limit) : guardJson(limit)).response;
}

/** The Content-Length of a compressed response says nothing about its size. */
function isShort(headers: Headers): boolean {
  const length = headers.get('content-length');
  return length !== null && Number(length) < shortestSuspect && !headers.has('content-encoding');
}

function guardJson({ maxBytes, large }: SizeLimit): BodyPassage {
  const shape = new JsonShape();
  const body = large?.body();
  let length = 0;
  return {
    pass: (chunk) => {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      if (!shape.push(chunk)) throw tooComplex();
      return chunk;
    },
    rest: () => body?.more(length),
    ended: () => body?.end(),
  };
}

/** A rejected event ends the stream; its request is answered with an error. */
function guardEvents({ maxBytes, id, pace, large, refused }: SizeLimit): BodyPassage {
  const scan = new EventScan(maxBytes);
  const body = id === undefined ? undefined : large?.body();
  // The first event on a request's stream is usually its answer.
  let counted = id === undefined ? 0 : 1;
  return {
    pass: (chunk) => {
      const fault = scan.push(chunk);
      if (fault === undefined) return chunk;
      const refusal = fault === 'size' ? tooLarge(maxBytes) : tooComplex();
      if (id === undefined) {
        refused?.();
        throw refusal;
      }
      return { last: new TextEncoder().encode(`\n\ndata: ${JSON.stringify(refusedAnswer(id, refusal))}\n\n`) };
    },
    rest: () => {
      const fresh = Math.max(0, scan.events - counted);
      counted += fresh;
      if (fresh > 0) return pace?.rest(fresh);
      if (scan.held === 0) body?.end();
      return body?.more(scan.held);
    },
    ended: () => body?.end(),
  };
}
