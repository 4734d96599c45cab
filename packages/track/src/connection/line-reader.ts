// Cuts a byte stream into lines without ever holding more than one line of bounded length. Of a longer
// one only the ends are kept, which is enough to see what it answered.

const keptBytes = 512;

export interface Lines {
  line(text: string): void;
  /** A line that was too long: its first and last bytes. */
  tooLong(head: string, tail: string): void;
}

export class LineReader {
  readonly #lines: Lines;
  readonly #limit: number;
  #parts: Buffer[] = [];
  #length = 0;
  #head = '';
  #tail = Buffer.alloc(0);
  #isSkipping = false;

  constructor(limit: number, lines: Lines) {
    this.#limit = limit;
    this.#lines = lines;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#take(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  #take(part: Buffer): void {
    if (this.#isSkipping) {
      this.#tail = Buffer.concat([this.#tail, part.subarray(-keptBytes)]).subarray(-keptBytes);
      return;
    }
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= this.#limit) return;
    const all = Buffer.concat(this.#parts);
    this.#head = all.toString('utf8', 0, keptBytes);
    this.#tail = Buffer.from(all.subarray(-keptBytes));
    this.#isSkipping = true;
    this.#parts = [];
    this.#length = 0;
  }

  #finish(): void {
    if (this.#isSkipping) this.#lines.tooLong(this.#head, this.#tail.toString('utf8'));
    else if (this.#length > 0) this.#lines.line(Buffer.concat(this.#parts).toString('utf8').replace(/\r$/, ''));
    this.#parts = [];
    this.#length = 0;
    this.#isSkipping = false;
  }
}
