// Limits the size of an HTTP response after decompression: of JSON its length, of an event stream its largest event,
// since the stream may never end. Also checks the shape of both, and reads slowly if they consist of many small parts.
import { isEventStream } from '@tidings/live/portable';
import { z } from 'zod';
import { BodyRateLimit } from './body-rate-limit.ts';
import { EventScan } from '../stream/event-scan.ts';
import type { LargeBodyQueue } from './large-body-queue.ts';
import { LineEnds } from '../stream/line-ends.ts';
import { JsonShape, shortestSuspect } from '../../bounds/json-shape.ts';
import type { MessageRateLimit } from '../../bounds/message-rate-limit.ts';
import { type BodyPassage, passBody } from '../stream/pass-body.ts';
import { refusedAnswer, tooComplex, tooLarge } from '../../bounds/too-large.ts';

interface SizeLimit {
  maxBytes: number;
  /** The id of the request that the response answers, if any. */
  id?: string | number | undefined;
  /** Limits the rate of messages other than the answer. */
  rateLimit?: MessageRateLimit;
  /** Limits how many large answers are received at once. */
  large?: LargeBodyQueue;
  /** Called for a rejected event that answers no request. */
  refused?(this: void): void;
}

const requestSchema = z.object({ id: z.union([z.string(), z.number()]) });

/** The id of the request in the body of an HTTP request. */
export function requestIdIn(body: unknown): string | number | undefined {
  if (typeof body !== 'string') return undefined;
  return requestSchema.safeParse(JSON.parse(body)).data?.id;
}

export function guardSize(response: Response, limit: SizeLimit): Response {
  const { headers } = response;
  const isStream = isEventStream(headers.get('content-type'));
  if (!isStream && isShort(headers)) return response;
  return passBody(response, isStream ? guardEvents(limit) : guardJson(limit)).response;
}

/** The Content-Length of a compressed response says nothing about its size. */
function isShort(headers: Headers): boolean {
  const length = headers.get('content-length');
  return length !== null && Number(length) < shortestSuspect && !headers.has('content-encoding');
}

function guardJson({ maxBytes, rateLimit, large }: SizeLimit): BodyPassage {
  const shape = new JsonShape();
  const body = large?.body();
  const pieces = new BodyRateLimit(rateLimit, maxBytes);
  let length = 0;
  return {
    pass: (chunk) => {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(maxBytes);
      if (!shape.push(chunk)) throw tooComplex();
      pieces.took(chunk, 0);
      return chunk;
    },
    rest: () => pieces.rest() ?? body?.more(length),
    ended: () => body?.end(),
  };
}

/** A rejected event ends the stream; its request is answered with an error. */
export function guardEvents({ maxBytes, id, rateLimit, large, refused }: SizeLimit): BodyPassage {
  const scan = new EventScan(maxBytes);
  const lineEnds = new LineEnds();
  const body = id === undefined ? undefined : large?.body();
  const pieces = new BodyRateLimit(rateLimit, id === undefined ? 0 : maxBytes);
  let counted = 0;
  return {
    pass: (chunk) => {
      const lines = lineEnds.push(chunk);
      const fault = scan.push(lines);
      pieces.took(chunk, scan.events + scan.idle - counted);
      counted = scan.events + scan.idle;
      if (fault === undefined) return lines;
      const refusal = fault === 'size' ? tooLarge(maxBytes) : tooComplex();
      if (id === undefined) {
        refused?.();
        throw refusal;
      }
      return { last: new TextEncoder().encode(`\n\ndata: ${JSON.stringify(refusedAnswer(id, refusal))}\n\n`) };
    },
    rest: () => {
      const resting = pieces.rest();
      if (resting !== undefined) return resting;
      if (scan.held === 0) body?.end();
      return body?.more(scan.held);
    },
    ended: () => body?.end(),
  };
}
