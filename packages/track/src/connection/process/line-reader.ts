// Splits a byte stream into lines. Holds at most one line of limited length, however small the chunks. Of a longer line
// only both ends are kept, which is enough to find the id of the request that it answers.

const keptBytes = 512;
/** A buffer up to this size is reused for the next line. */
const keptCapacity = 64 * 1024;

export interface Lines {
  /** Without the line break. The bytes are valid until this returns. */
  line(bytes: Buffer): void;
  /** Called for a line that was too long, with its first and last bytes. */
  tooLong(head: string, tail: string): void;
}

export class LineReader {
  readonly #lines: Lines;
  readonly #limit: number;
  /** The beginning of a line, in the first `#length` bytes. */
  #held = Buffer.alloc(0);
  #length = 0;
  #head = '';
  #tail = Buffer.alloc(0);
  #isSkipping = false;
  #skipped = 0;

  constructor(limit: number, lines: Lines) {
    this.#limit = limit;
    this.#lines = lines;
  }

  /** Returns how many bytes belong to a line that is too long. */
  push(chunk: Buffer): number {
    let start = 0;
    this.#skipped = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const part = chunk.subarray(start, end);
      // Most lines arrive in one chunk.
      if (this.#length === 0 && !this.#isSkipping && part.length <= this.#limit) this.#give(part);
      else this.#finish(part);
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
    return this.#skipped;
  }

  /** Gives the last line, which may have no line break. */
  end(): void {
    if (this.#length > 0 || this.#isSkipping) this.#finish(Buffer.alloc(0));
  }

  #take(part: Buffer): void {
    if (this.#isSkipping) {
      this.#skipped += part.length;
      this.#tail = Buffer.concat([this.#tail, part.subarray(-keptBytes)]).subarray(-keptBytes);
      return;
    }
    const length = this.#length + part.length;
    if (length > this.#limit) {
      const [first, last] = [this.#held.subarray(0, Math.min(this.#length, keptBytes)), part.subarray(-keptBytes)];
      const before = this.#held.subarray(Math.max(0, this.#length - keptBytes), this.#length);
      this.#head = Buffer.concat([first, part.subarray(0, keptBytes)]).toString('utf8', 0, keptBytes);
      this.#tail = Buffer.concat([before, last]).subarray(-keptBytes);
      this.#isSkipping = true;
      this.#clear();
      return;
    }
    this.#makeRoom(length);
    part.copy(this.#held, this.#length);
    this.#length = length;
  }

  /** Doubles the buffer, so that a line that arrives byte by byte is not copied each time. */
  #makeRoom(length: number): void {
    if (length <= this.#held.length) return;
    const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(length, 2 * this.#held.length)));
    this.#held.copy(larger, 0, 0, this.#length);
    this.#held = larger;
  }

  #finish(part: Buffer): void {
    this.#take(part);
    if (this.#isSkipping) this.#lines.tooLong(this.#head, this.#tail.toString('utf8'));
    else this.#give(this.#held.subarray(0, this.#length));
    this.#isSkipping = false;
    this.#clear();
  }

  #give(line: Buffer): void {
    const bytes = line.at(-1) === 13 ? line.subarray(0, -1) : line;
    if (line.length > 0) this.#lines.line(bytes);
  }

  #clear(): void {
    this.#length = 0;
    if (this.#held.length > keptCapacity) this.#held = Buffer.alloc(0);
  }
}
