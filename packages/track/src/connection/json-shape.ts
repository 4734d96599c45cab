// Looks through the bytes of a JSON text, before it is parsed, for nesting and for the number of values:
// 16 MB of brackets are half a gigabyte once they are objects, and a thousand levels are as many as other
// code can walk through. Works on any pieces of the text, and keeps nothing of it.
import { maxMessageLevels } from '@tidings/live';

export const shapeLimits = { levels: maxMessageLevels, values: 1_000_000 };

/** A shorter text can neither nest too deep nor hold too many values. */
export const shortestSuspect = 2 * shapeLimits.levels;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

export class JsonShape {
  #level = 0;
  #values = 0;
  #isInText = false;
  #isEscaped = false;

  /** Whether the text is still within the limits, with this piece of it. */
  push(piece: Uint8Array): boolean {
    // Locals: this loop runs for every byte of every large message.
    let [level, values, isInText, isEscaped] = [this.#level, this.#values, this.#isInText, this.#isEscaped];
    for (let at = 0; at < piece.length && level <= shapeLimits.levels; at += 1) {
      const byte = piece[at];
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInText = false;
      } else if (byte === quote) {
        isInText = true;
      } else if (byte === openList || byte === openObject) {
        values += 1;
        level += 1;
      } else if (byte === closeList || byte === closeObject) {
        level -= 1;
      } else if (byte === comma) {
        values += 1;
      }
    }
    [this.#level, this.#values, this.#isInText, this.#isEscaped] = [level, values, isInText, isEscaped];
    return level <= shapeLimits.levels && values <= shapeLimits.values;
  }

  /** Another text begins. */
  reset(): void {
    this.#level = 0;
    this.#values = 0;
    this.#isInText = false;
    this.#isEscaped = false;
  }
}

export function isWithinShape(text: Uint8Array): boolean {
  return text.length < shortestSuspect || new JsonShape().push(text);
}
