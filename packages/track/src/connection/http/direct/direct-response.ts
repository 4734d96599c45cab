// The messages of one short HTTP response, a JSON body or an event stream, and among them the answer to a request.
import { isEventStream, parsedJson, withoutMark } from '@tidings/live/portable';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { isWithinShape } from '../../bounds/json-shape.ts';
import { plainMessage } from '../../message/plain-message.ts';
import { LineEnds } from '../stream/line-ends.ts';
import { streamEvents } from '../stream/stream-events.ts';

export type PlainAnswer =
  | { result: Readonly<Record<string, unknown>> }
  | { error: z.infer<typeof errorSchema>['error'] };

interface DirectResponseOptions {
  /** The id of the request. */
  id: number;
  mostBytes: number;
  answered(this: void, answer: PlainAnswer): void;
  /** Called with any other message. */
  receive(this: void, message: unknown): void;
}

/** Most chunks of an answer: a short one comes in one or a few. */
const mostChunks = 32;
const errorSchema = z.object({
  id: z.number(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
});

export class DirectResponse {
  readonly #options: DirectResponseOptions;
  readonly #isStream: boolean;
  readonly #isReadable: boolean;
  readonly #lineEnds = new LineEnds();
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #chunks = 0;
  #isAnswered = false;
  /** Events were taken: a byte order mark, which parsers drop, can only be before the first one. */
  #isBegun = false;

  constructor(
    { statusCode, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
    options: DirectResponseOptions,
  ) {
    const type = headers['content-type'];
    this.#options = options;
    this.#isStream = isEventStream(type);
    const isKnown = this.#isStream || type?.trim().toLowerCase().startsWith('application/json') === true;
    this.#isReadable = statusCode === 200 && isKnown && headers['content-encoding'] === undefined;
  }

  /**
   * Returns whether the answer can still be read here. A body much longer than a plain answer is not, because reading
   * here has no rate limit.
   */
  push(chunk: Buffer): boolean {
    this.#length += chunk.length;
    this.#chunks += 1;
    if (!this.#isReadable || this.#length > this.#options.mostBytes || this.#chunks > mostChunks) return false;
    const lines = this.#isStream ? this.#lineEnds.push(chunk) : chunk;
    this.#bytes = this.#bytes.length === 0 ? asBuffer(lines) : Buffer.concat([this.#bytes, lines]);
    return !this.#isStream || this.#takeEvents();
  }

  /** Returns whether the body held the answer. */
  end(): boolean {
    if (!this.#isReadable || (!this.#isStream && !this.#take(this.#bytes))) return false;
    return this.#isAnswered;
  }

  #takeEvents(): boolean {
    // The last event is complete only with the blank line after it.
    const end = this.#bytes.lastIndexOf('\n\n');
    if (end === -1) return true;
    const text = this.#bytes.toString('utf8', 0, end + 2);
    const events = streamEvents(this.#isBegun ? text : withoutMark(text));
    this.#bytes = this.#bytes.subarray(end + 2);
    this.#isBegun = true;
    // An event without data carries only the id to resume from.
    return events.every(({ data = '', isMessage }) => data === '' || !isMessage || this.#take(Buffer.from(data)));
  }

  #take(json: Buffer): boolean {
    if (!isWithinShape(json)) return false;
    const message = parsedJson(json.toString());
    if (message === undefined) return false;
    const answer = answerIn(message, this.#options.id);
    if (answer === undefined) this.#options.receive(message);
    else this.#answered(answer);
    return true;
  }

  #answered(answer: PlainAnswer): void {
    this.#isAnswered = true;
    this.#options.answered(answer);
  }
}

function answerIn(message: unknown, id: number): PlainAnswer | undefined {
  const plain = plainMessage(message);
  if (plain && 'result' in plain) return plain.id === id ? plain : undefined;
  const refused = errorSchema.safeParse(message).data;
  return refused?.id === id ? refused : undefined;
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
