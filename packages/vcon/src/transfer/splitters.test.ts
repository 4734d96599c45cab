import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';
import type { Piece, Splitter } from './piece.ts';
import { ValueSplitter } from './value-splitter.ts';

const plenty = 1_000_000;
const splitters = {
  line: (limit = plenty) => new LineSplitter(limit),
  value: (limit = plenty) => new ValueSplitter(limit),
};

function split(splitter: Splitter, text: string | Buffer, chunkBytes = plenty): Piece[] {
  const bytes = Buffer.from(text);
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    pieces.push(...splitter.push(bytes.subarray(at, at + chunkBytes)));
  return [...pieces, ...splitter.end()];
}

const shown = (pieces: readonly Piece[]) => pieces.map(({ line, fault, bytes }) => [line, fault ?? bytes?.toString()]);

const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }));
const layouts: [name: string, splitter: keyof typeof splitters, write: (objects: readonly object[]) => string][] = [
  ['lines', 'line', (objects) => objects.map((each) => `${JSON.stringify(each)}\n`).join('')],
  ['lines, the last one open', 'line', (objects) => objects.map((each) => JSON.stringify(each)).join('\r\n')],
  ['one after the other', 'value', (objects) => objects.map((each) => JSON.stringify(each)).join('')],
  ['over several lines', 'value', (objects) => objects.map((each) => JSON.stringify(each, null, 2)).join('\n')],
  ['a list', 'value', (objects) => JSON.stringify(objects)],
  ['a list over several lines', 'value', (objects) => ` ${JSON.stringify(objects, null, '\t')}\n`],
  ['a list after a byte-order mark', 'value', (objects) => `\u{feff}${JSON.stringify(objects)}`],
];

describe('documents are separated', () => {
  test.each(layouts)('%s, in chunks of any size', (_, splitter, write) => {
    fc.assert(
      fc.property(
        fc.array(object, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 50 }),
        (objects, size) => {
          const pieces = split(splitters[splitter](), write(objects), size);
          expect(pieces.map(({ bytes }) => JSON.parse(String(bytes)))).toEqual(JSON.parse(JSON.stringify(objects)));
        },
      ),
    );
  });

  test('with the line on which each begins', () => {
    expect(shown(split(splitters.line(), '{}\n\n{"a":1}\n'))).toEqual([
      [1, '{}'],
      [2, ''],
      [3, '{"a":1}'],
    ]);
    expect(shown(split(splitters.value(), '[\n{\n},\n\n{}]\n{}'))).toEqual([
      [2, '{\n}'],
      [5, '{}'],
      [6, '{}'],
    ]);
  });

  test('with the position after each, at which reading can continue', () => {
    const text = '{"a":"é"}\n{"b":2}\n{"c":3}';
    const whole = split(splitters.line(), text);
    for (const [index, { after }] of whole.entries()) {
      const rest = Buffer.from(text).subarray(after.bytes);
      expect(split(new LineSplitter(plenty, after), rest)).toEqual(whole.slice(index + 1));
    }
  });
});

describe('a document over the size limit is omitted, and the next one is read', () => {
  const fault = 'longer than a document may be: it has 1 MB, the most is 1 MB';
  const long = `{"body":"${'x'.repeat(100)}"}`;

  test.each([
    ['line' as const, `{}\n${long}\n{"a":1}\n`],
    ['value' as const, `{}\n${long}\n{"a":1}\n`],
    ['value' as const, `[{},\n${long},\n{"a":1}]`],
  ])('%s: %s', (splitter, text) => {
    for (const size of [1, 7, 1000]) {
      expect(shown(split(splitters[splitter](50), text, size))).toEqual([
        [1, '{}'],
        [2, fault],
        [3, '{"a":1}'],
      ]);
    }
  });
});

describe('after unmatched brackets or quotes, no further text is read as a document', () => {
  const stray = 'not JSON: a vCon begins with {, a list of them with [';

  test.each([
    ['{"a": ["x"}\n{"b": 1}', [[1, '{"a": ["x"}']]],
    ['{"a": "x\n}\n{"b": 1}', [[1, '{"a": "x\n']]],
    ['{"a": {"b": 1}\n{"c": 1}', [[1, '{"a": {"b": 1}\n{"c": 1}']]],
    [
      '{}\nhello {"b": 1}',
      [
        [1, '{}'],
        [2, stray],
      ],
    ],
    [
      '{}}\n{"b": 1}',
      [
        [1, '{}'],
        [1, stray],
      ],
    ],
    [
      '[{}, 1, {}]',
      [
        [1, '{}'],
        [1, stray],
      ],
    ],
    [
      '{},{}',
      [
        [1, '{}'],
        [1, stray],
      ],
    ],
    [
      '[{},\n',
      [
        [1, '{}'],
        [2, 'not JSON: the list is not closed (cut off?)'],
      ],
    ],
    [' \n', [[2, 'empty']]],
    ['[]', []],
  ])('%j', (text, pieces) => {
    for (const size of [1, 1000]) expect(shown(split(splitters.value(), text, size))).toEqual(pieces);
  });

  test('unlimited nesting is reported as a fault', () => {
    const [piece] = split(splitters.value(), `{"a":${'['.repeat(20_000)}`);
    expect(piece).toMatchObject({ line: 1, fault: 'nested too deep: flatten it', isLast: true });
  });
});
