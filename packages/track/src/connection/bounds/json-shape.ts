// Checks the bytes of a JSON text for nesting depth and number of values before it is parsed: 16 MB of brackets
// become half a gigabyte of objects, and recursive code fails at a thousand levels. Works on chunks and keeps
// none of them.
import { maxMessageLevels } from '@tidings/live/internal';

export const shapeLimits = { levels: maxMessageLevels, values: 1_000_000 };

/** A shorter text can exceed neither limit. */
export const shortestSuspect = 2 * shapeLimits.levels;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

export class JsonShape {
  #level = 0;
  #values = 0;
  #isInText = false;
  #isEscaped = false;

  /** Whether the text, including this chunk, is within the limits. */
  push(piece: Uint8Array): boolean {
    // Locals, because this loop runs for every byte of every large message.
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

  /** Starts a new text. */
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
