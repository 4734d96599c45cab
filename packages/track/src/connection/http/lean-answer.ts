// The messages of one short HTTP response: a JSON body, or an event stream.
import type { IncomingMessage } from 'node:http';
import { isWithinShape } from '../json-shape.ts';

/** The answer to such a request has a few dozen bytes, and comes in one chunk or two. */
const [mostBytes, mostChunks] = [16 * 1024, 32];

export class LeanAnswer {
  readonly #take: (message: unknown) => void;
  readonly #isStream: boolean;
  readonly #isReadable: boolean;
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  #chunks = 0;

  constructor(
    { statusCode, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
    take: (message: unknown) => void,
  ) {
    const type = headers['content-type']?.trim().toLowerCase() ?? '';
    this.#take = take;
    this.#isStream = type.startsWith('text/event-stream');
    const isKnown = this.#isStream || type.startsWith('application/json');
    this.#isReadable = statusCode === 200 && isKnown && headers['content-encoding'] === undefined;
  }

  /** Whether it can be read, so far. Much more than an answer is not read here: it would not be slowed down. */
  push(chunk: Buffer): boolean {
    this.#length += chunk.length;
    this.#chunks += 1;
    if (!this.#isReadable || this.#length > mostBytes || this.#chunks > mostChunks) return false;
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    return !this.#isStream || this.#takeEvents();
  }

  end(): boolean {
    if (!this.#isReadable) return false;
    return this.#isStream || this.#parse(this.#bytes.toString());
  }

  #takeEvents(): boolean {
    const text = this.#bytes.toString('latin1');
    // The last event is complete only with the blank line after it.
    const end = [...text.matchAll(/\r\n\r\n|\n\n|\r\r/g)].at(-1);
    if (end === undefined) return true;
    const events = this.#bytes.toString('utf8', 0, end.index);
    this.#bytes = this.#bytes.subarray(end.index + end[0].length);
    return events.split(/\r\n\r\n|\n\n|\r\r/).every((event) => {
      const data = event.split(/\r\n|\n|\r/).flatMap((line) => /^data:? ?(.*)$/s.exec(line)?.[1] ?? []);
      // An event without data only has the id to resume from.
      return data.join('') === '' || this.#parse(data.join('\n'));
    });
  }

  #parse(json: string): boolean {
    if (!isWithinShape(Buffer.from(json))) return false;
    let message: unknown;
    try {
      message = JSON.parse(json);
    } catch {
      return false;
    }
    this.#take(message);
    return true;
  }
}
