// Normalizes line ends of an event stream (CR, LF or both) to LF. Parsers search each kind in the whole rest of a
// chunk, line after line, so a chunk with only one kind would take time in the square of its length.

const [lineFeed, carriageReturn] = [10, 13];

export class LineEnds {
  #endedInReturn = false;

  /** Returns the same lines with LF. Empty if the chunk is the second half of a line end. */
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
