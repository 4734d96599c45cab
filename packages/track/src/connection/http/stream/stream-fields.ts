// Notices lines of an event stream that are not a field. Parsers ignore such lines, but if bytes were corrupted, the
// line was a field, and a notification is lost.

const longestName = 6;
const field = /^(?::|(?:data|event|id|retry)(?:[:\r\n]|$)|[\r\n]|\u00ef\u00bb\u00bf)/;
const newline = 10;

export class StreamFields {
  readonly #unreadable: () => void;
  /** The beginning of the present line, until enough of it has arrived to decide; undefined after that. */
  #start: string | undefined = '';

  constructor(unreadable: () => void) {
    this.#unreadable = unreadable;
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      const end = chunk.indexOf(newline, at);
      const stop = end === -1 ? chunk.length : end + 1;
      if (this.#start !== undefined) this.#take(chunk.subarray(at, Math.min(stop, at + longestName)), end !== -1);
      if (end !== -1) this.#start = '';
      at = stop;
    }
  }

  #take(bytes: Uint8Array, isWhole: boolean): void {
    const text = this.#start + String.fromCharCode(...bytes);
    if (!isWhole && text.length < longestName) return void (this.#start = text);
    this.#start = undefined;
    if (!field.test(text)) this.#unreadable();
  }
}
