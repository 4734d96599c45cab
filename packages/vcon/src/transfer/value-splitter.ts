// Splits JSON files that people save: one document over many lines, several in a row, or a list of them. Only brackets
// and strings are examined. If those do not match, the start of the next document cannot be found.
import { Gathered, type Piece, type Splitter } from './piece.ts';

const [newline, quote, backslash, comma] = [0x0a, 0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const blanks = new Set([0x20, 0x09, 0x0d, newline]);
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Deeper documents are refused anyway. */
const mostLevels = 10_000;

export class ValueSplitter implements Splitter {
  readonly #gathered: Gathered;
  /** The closing brackets of the open objects and lists, the innermost last. */
  #closing: number[] = [];
  #isInString = false;
  #isEscaped = false;
  /** Whether the current position is in a list whose entries are the documents. */
  #isInList = false;
  #isOver = false;
  #isEmpty = true;
  #bytes = 0;
  #lines = 0;
  #firstLine = 1;

  /** `limit`: the size limit of a document in bytes. */
  constructor(limit: number) {
    this.#gathered = new Gathered(limit);
  }

  *push(chunk: Buffer): Iterable<Piece> {
    let from = 0;
    for (let at = 0; at < chunk.length && !this.#isOver; at += 1) {
      if (this.#isInString && !this.#isEscaped) {
        const plain = plainLength(chunk, at);
        this.#bytes += plain;
        at += plain;
        if (at === chunk.length) break;
      }
      const byte = chunk[at] ?? 0;
      const wasInside = this.#closing.length > 0;
      const isFitting = wasInside ? this.#inside(byte) : this.#between(byte);
      this.#bytes += 1;
      if (byte === newline) this.#lines += 1;
      if (!wasInside) from = at;
      if (isFitting && !(wasInside && this.#closing.length === 0)) continue;
      this.#isOver = !isFitting;
      if (!wasInside) {
        yield this.#stray();
        return;
      }
      this.#gathered.add(chunk.subarray(from, at + 1));
      from = at + 1;
      yield this.#piece();
    }
    if (this.#closing.length > 0 && !this.#isOver) this.#gathered.add(chunk.subarray(from));
  }

  *end(): Iterable<Piece> {
    if (this.#isOver) return;
    if (this.#closing.length > 0) {
      this.#isOver = true;
      yield this.#piece();
    } else if (this.#isInList || this.#isEmpty) {
      const fault = this.#isEmpty ? 'empty' : 'not JSON: the list is not closed (cut off?)';
      yield { line: this.#lines + 1, after: this.#after, fault };
    }
  }

  /** Whether this byte belongs to the current document. */
  #inside(byte: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
      // A string cannot contain a line break, so this one was not closed.
      return byte !== newline;
    }
    if (byte === quote) this.#isInString = true;
    else if (byte === openObject || byte === openList) this.#open(byte);
    else if (byte === closeObject || byte === closeList) return this.#closing.pop() === byte;
    return this.#closing.length <= mostLevels;
  }

  #between(byte: number): boolean {
    if (blanks.has(byte) || byte === byteOrderMark[this.#bytes]) return true;
    this.#isEmpty = false;
    if (byte === openObject || (byte === openList && this.#isInList)) {
      this.#firstLine = this.#lines + 1;
      this.#open(byte);
      return true;
    }
    if (byte === comma) return this.#isInList;
    if (byte !== openList && !(byte === closeList && this.#isInList)) return false;
    this.#isInList = byte === openList;
    return true;
  }

  #open(byte: number): void {
    this.#closing.push(byte === openObject ? closeObject : closeList);
  }

  #piece(): Piece {
    const taken = this.#closing.length > mostLevels ? { fault: 'nested too deep: flatten it' } : this.#gathered.take();
    return { line: this.#firstLine, after: this.#after, ...taken, isLast: this.#isOver };
  }

  #stray(): Piece {
    const fault = 'not JSON: a vCon begins with {, a list of them with [';
    return { line: this.#lines + 1, after: this.#after, fault, isLast: true };
  }

  get #after() {
    return { bytes: this.#bytes, lines: this.#lines };
  }
}

/** Most of a document is in long strings, which are skipped at once. */
function plainLength(chunk: Buffer, start: number): number {
  let at = start;
  for (; at < chunk.length; at += 1) {
    const byte = chunk[at];
    if (byte === quote || byte === backslash || byte === newline) break;
  }
  return at - start;
}
