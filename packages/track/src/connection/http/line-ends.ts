// The lines of an event stream may end in CR, LF or both. From here on they end in LF: parsers look for each kind in the
// whole rest of a chunk, line after line, so a chunk full of one kind would take the square of its length.

const [lineFeed, carriageReturn] = [10, 13];

export class LineEnds {
  #endedInReturn = false;

  /** The same lines. May be empty: the second half of a line end that came in two chunks. */
  push(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return chunk;
    const rest = this.#endedInReturn && chunk[0] === lineFeed ? chunk.subarray(1) : chunk;
    this.#endedInReturn = chunk.at(-1) === carriageReturn;
    if (!rest.includes(carriageReturn)) return rest;
    const lines = new Uint8Array(rest.length);
    let length = 0;
    for (let at = 0; at < rest.length; at += 1) {
      const byte = rest[at] ?? 0;
      if (byte === lineFeed && rest[at - 1] === carriageReturn) continue;
      lines[length] = byte === carriageReturn ? lineFeed : byte;
      length += 1;
    }
    return lines.subarray(0, length);
  }
}
