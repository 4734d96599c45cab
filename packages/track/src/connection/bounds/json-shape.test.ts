import { describe, expect, it } from 'vitest';
import { JsonShape, isWithinShape, shapeLimits } from './json-shape.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('the shape of a JSON text', () => {
  it('is within the limits up to a number of levels', () => {
    expect(isWithinShape(bytes(nested(shapeLimits.levels)))).toBe(true);
    expect(isWithinShape(bytes(nested(shapeLimits.levels + 1)))).toBe(false);
    expect(isWithinShape(bytes('{"a":'.repeat(shapeLimits.levels + 1)))).toBe(false);
  });

  it('is within the limits up to a number of values', () => {
    const list = (values: number) => bytes(`[${'0,'.repeat(values - 2)}0]`);
    expect(isWithinShape(list(shapeLimits.values))).toBe(true);
    expect(isWithinShape(list(shapeLimits.values + 2))).toBe(false);
  });

  it('does not include its strings, also with escaped quotes', () => {
    const brackets = '['.repeat(shapeLimits.levels + 1);
    expect(isWithinShape(bytes(JSON.stringify([`${brackets}"${brackets}\\`])))).toBe(true);
    expect(isWithinShape(bytes(`["\\\\",${nested(shapeLimits.levels)}]`))).toBe(false);
  });

  it('is the same in pieces of any size', () => {
    const [fine, deep] = [`["a\\"b",${nested(shapeLimits.levels - 1)}]`, `["\\"",${nested(shapeLimits.levels)}]`];
    for (const size of [1, 2, 7]) {
      const inPieces = (text: string) => {
        const shape = new JsonShape();
        const all = bytes(text);
        return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
          shape.push(all.subarray(index * size, (index + 1) * size)),
        ).every(Boolean);
      };
      expect([inPieces(fine), inPieces(deep)]).toEqual([true, false]);
    }
  });

  it('starts again with another text', () => {
    const shape = new JsonShape();
    expect(shape.push(bytes(`["${'['.repeat(shapeLimits.levels)}`))).toBe(true);
    shape.reset();
    expect(shape.push(bytes(nested(shapeLimits.levels)))).toBe(true);
  });
});
