import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineReader } from './line-reader.ts';
import { answeredId } from '../bounds/too-large.ts';

function read(limit: number, chunks: readonly Buffer[]) {
  const lines: string[] = [];
  const tooLong: [string, string][] = [];
  const reader = new LineReader(limit, {
    line: (bytes) => void lines.push(bytes.toString('utf8')),
    tooLong: (head, tail) => void tooLong.push([head, tail]),
  });
  for (const chunk of chunks) reader.push(chunk);
  return { lines, tooLong };
}

describe('lines', () => {
  it('are found however the bytes are split', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map((line) => line.replaceAll(/[\r\n]/g, ''));
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat({ max: 200 })), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(read(1000, chunks).lines).toEqual(lines.filter((line) => line !== ''));
      }),
    );
  });

  it('that are too long keep both ends, and the next one is read as usual', () => {
    const long = `{"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(5000)}"}`;
    const bytes = Buffer.from(`first\n${long}\nlast\r\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 100) }, (_, n) =>
      bytes.subarray(n * 100, n * 100 + 100),
    );
    const { lines, tooLong } = read(1000, chunks);
    expect(lines).toEqual(['first', 'last']);
    expect(tooLong).toHaveLength(1);
    expect(answeredId(...(tooLong[0] ?? ['', '']))).toBe(7);
  });
});

it('gives the last line at the end, with or without a line break', () => {
  const lines: string[] = [];
  const reader = new LineReader(4, {
    line: (bytes) => void lines.push(bytes.toString('utf8')),
    tooLong: (head) => void lines.push(`${head}…`),
  });
  const ended = (text: string) => {
    reader.push(Buffer.from(text));
    reader.end();
    return lines.splice(0);
  };
  expect(ended('a\nb')).toEqual(['a', 'b']);
  expect(ended('c\n')).toEqual(['c']);
  expect(ended('longer')).toEqual(['longer…']);
  expect(ended('')).toEqual([]);
});

describe('the request id of a long response', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":12,"result":{"x', 'y"}}', 12],
    ['{"id":"a-1","jsonrpc":"2.0","result":', '}', 'a-1'],
    ['{"result":{"contents":[{"id":5,"te', 'xt"}]},"jsonrpc":"2.0","id":3}', 3],
    ['{"result":{"contents":[', ']},"id":"b","jsonrpc":"2.0"}', 'b'],
    ['{"jsonrpc":"2.0","method":"notifications/x","params":{"id":4', '}}', undefined],
  ])('is found in its ends: %s … %s', (head, tail, id) => {
    expect(answeredId(head, tail)).toBe(id);
  });
});
