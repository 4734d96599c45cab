// JSONL: every line is a document. An invalid line does not affect the others.
import { Gathered, type Piece, type SourcePosition, type Splitter } from './piece.ts';

const newline = 0x0a;

export class LineSplitter implements Splitter {
  readonly #gathered: Gathered;
  #bytes: number;
  #lines: number;

  /** `limit`: the size limit of a line in bytes. `from`: the position up to which the source was read earlier. */
  constructor(limit: number, from: SourcePosition = { bytes: 0, lines: 0 }) {
    this.#gathered = new Gathered(limit);
    this.#bytes = from.bytes;
    this.#lines = from.lines;
  }

  *push(chunk: Buffer): Iterable<Piece> {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.#gathered.add(chunk.subarray(from, at));
      from = at + 1;
      yield this.#line(1);
    }
    this.#gathered.add(chunk.subarray(from));
  }

  *end(): Iterable<Piece> {
    if (this.#gathered.length > 0) yield this.#line(0);
  }

  #line(ending: 0 | 1): Piece {
    this.#bytes += this.#gathered.length + ending;
    this.#lines += 1;
    return { line: this.#lines, after: { bytes: this.#bytes, lines: this.#lines }, ...this.#gathered.take() };
  }
}
