// Scans the bytes of an event stream as its parser does: an event is held in memory from its first line to the blank
// line that ends it. Counts the held bytes and checks the shape of the data. Lines end in LF (see `LineEnds`).
import { JsonShape } from '../../bounds/json-shape.ts';

const [lineFeed, colon] = [10, 0x3a];
const dataField = new TextEncoder().encode('data:');

type EventFault = 'size' | 'shape';

export class EventScan {
  readonly #maxBytes: number;
  readonly #shape = new JsonShape();
  /** Number of completed events. */
  events = 0;
  /** Number of comments, and of blank lines that end no event. */
  idle = 0;
  /** Bytes of the present event, without its unfinished line. */
  #eventBytes = 0;
  #lineBytes = 0;
  #isComment = false;
  #isData = true;
  /** The first line may start with a byte order mark, which parsers drop. */
  #isFirstLine = true;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the present event. */
  get held(): number {
    return this.#eventBytes + this.#lineBytes;
  }

  /** Returns the fault of the present event, if it has one. */
  push(chunk: Uint8Array): EventFault | undefined {
    let from = 0;
    while (from < chunk.length) {
      const next = chunk.indexOf(lineFeed, from);
      const end = next === -1 ? chunk.length : next;
      const fault = this.#take(chunk.subarray(from, end));
      if (fault !== undefined || next === -1) return fault;
      this.#endLine();
      from = next + 1;
    }
    return undefined;
  }

  #take(part: Uint8Array): EventFault | undefined {
    if (part.length === 0) return undefined;
    if (this.#lineBytes === 0) this.#isComment = part[0] === colon;
    let name = 0;
    for (; name < part.length && this.#lineBytes + name < dataField.length; name += 1) {
      this.#isData &&= part[name] === dataField[this.#lineBytes + name];
    }
    this.#lineBytes += part.length;
    if (this.#eventBytes + this.#lineBytes > this.#maxBytes) return 'size';
    const mayBeData = this.#isData || this.#isFirstLine;
    return mayBeData && !this.#shape.push(part.subarray(name)) ? 'shape' : undefined;
  }

  #endLine(): void {
    if (this.#lineBytes === 0) {
      if (this.#eventBytes > 0) this.events += 1;
      else this.idle += 1;
      this.#eventBytes = 0;
      this.#shape.reset();
    } else {
      if (this.#isComment) this.idle += 1;
      else this.#eventBytes += this.#lineBytes;
      // Bytes that turned out not to be data say nothing about the shape of the data that follows.
      if (this.#isFirstLine && !this.#isData) this.#shape.reset();
    }
    this.#lineBytes = 0;
    this.#isComment = false;
    this.#isData = true;
    this.#isFirstLine = false;
  }
}
