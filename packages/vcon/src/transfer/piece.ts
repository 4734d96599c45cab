// The bytes of one document in a file, before they are parsed.

/** A position in a file. */
export interface SourcePosition {
  bytes: number;
  lines: number;
}

export interface Piece {
  /** Where it begins, counted from 1. */
  line: number;
  /** Where the next one begins. */
  after: SourcePosition;
  /** Why the document could not be split off; then `bytes` is missing. */
  fault?: string;
  bytes?: Buffer;
  /** The rest of the source cannot be split. */
  isLast?: boolean;
}

/** Splits a file into documents, chunk by chunk. */
export interface Splitter {
  push(chunk: Buffer): Iterable<Piece>;
  end(): Iterable<Piece>;
}

/** Collects the bytes of one document. Bytes past the limit are counted, not stored. */
export class Gathered {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#limit) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  /** Returns the collected bytes and starts over. */
  take(): Pick<Piece, 'bytes' | 'fault'> {
    const [parts, length] = [this.#parts, this.#length];
    this.#parts = [];
    this.#length = 0;
    if (length > this.#limit) return { fault: tooLong(length, this.#limit) };
    const [only = Buffer.alloc(0)] = parts;
    return { bytes: parts.length > 1 ? Buffer.concat(parts, length) : only };
  }
}

function tooLong(length: number, limit: number): string {
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000)} MB`;
  return `longer than a document may be: it has ${megabytes(length)}, the most is ${megabytes(limit)}`;
}
