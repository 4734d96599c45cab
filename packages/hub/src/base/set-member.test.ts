import * as jsonc from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { addItem, replaceValue, setMember, styleOf, withoutMember } from './set-member.ts';

const path = ['servers', 'ours'] as const;

describe('setting a member of a JSON text', () => {
  test.each([
    ['an empty object', '{}', '{\n  "servers": {\n    "ours": 1\n  }\n}'],
    ['an empty list of servers', '{\n    "servers": {}\n}', '{\n    "servers": {\n        "ours": 1\n    }\n}'],
    [
      'another server',
      '{\n  "servers": {\n    "a": 0\n  }\n}',
      '{\n  "servers": {\n    "a": 0,\n    "ours": 1\n  }\n}',
    ],
    [
      'a trailing comma and comments',
      '{\n\t"servers": {\n\t\t"a": 0, // "}" zero\n\t\t/* end */\n\t},\n}',
      '{\n\t"servers": {\n\t\t"a": 0, // "}" zero\n\t\t/* end */\n\t\t"ours": 1\n\t},\n}',
    ],
    [
      'a comment beside the last',
      '{\n  "servers": {\n    "a": 0 // zero\n  }\n}',
      '{\n  "servers": {\n    "a": 0, // zero\n    "ours": 1\n  }\n}',
    ],
    ['other members', '{\n  "x": [1,2]\n}', '{\n  "x": [1,2],\n  "servers": {\n    "ours": 1\n  }\n}'],
    ['one line', '{"servers":{"a":0}}', '{"servers":{"a":0,\n    "ours": 1\n  }}'],
    ['null', '{ "servers": null }', '{ "servers": {\n    "ours": 1\n  } }'],
    ['an older value', '{ "servers": { "ours": { "a": [1] }, "b": 2 } }', '{ "servers": { "ours": 1, "b": 2 } }'],
  ])('with %s', (_, before, after) => {
    expect(setMember(before, path, 1)).toBe(after);
    expect(jsonc.parse(after, [], { allowTrailingComma: true }).servers.ours).toBe(1);
  });

  test('keeps line ends', () => {
    expect(setMember('{\r\n  "x": 1\r\n}\r\n', ['y'], { z: 2 })).toBe(
      '{\r\n  "x": 1,\r\n  "y": {\r\n    "z": 2\r\n  }\r\n}\r\n',
    );
  });
});

describe('adding an item to a list of a JSON text', () => {
  test.each([
    ['an empty list', '{\n  "a": { "list": [] }\n}', '{\n  "a": { "list": [\n      1\n    ] }\n}'],
    [
      'other items, in a form of their own',
      '{\n\t"a": {\n\t\t"list": [\n\t\t\t{ "x": [0] } // zero\n\t\t]\n\t}\n}',
      '{\n\t"a": {\n\t\t"list": [\n\t\t\t{ "x": [0] }, // zero\n\t\t\t1\n\t\t]\n\t}\n}',
    ],
    [
      'a trailing comma',
      '{\n  "a": {\n    "list": [\n      0,\n    ]\n  }\n}',
      '{\n  "a": {\n    "list": [\n      0,\n      1\n    ]\n  }\n}',
    ],
  ])('with %s', (_, before, after) => {
    expect(addItem(before, ['a', 'list'], 1)).toBe(after);
  });

  test('and replacing one, changes no other character', () => {
    const text = '{"a":[ 0 ,/* x */ {"b":1}]}';
    const style = styleOf(text);
    const added = addItem(text, ['a'], 2, style);
    expect(added).toBe('{"a":[ 0 ,/* x */ {"b":1},\n    2\n  ]}');
    expect(replaceValue(added, ['a', 1], { c: 3 }, style)).toBe(
      '{"a":[ 0 ,/* x */ {\n      "c": 3\n    },\n    2\n  ]}',
    );
  });
});

describe('removing a member of a JSON text', () => {
  test.each([
    ['the only one', '{\n  "servers": {\n    "ours": 1\n  }\n}'],
    ['the first', '{ "servers": { "ours": { "a": [1] }, "b": 2 } }'],
    ['the last, with comments', '{\n  "servers": {\n    // zero\n    "a": 0, // "}" zero\n    "ours": 1\n  },\n}'],
  ])('that is %s', (_, before) => {
    const after = withoutMember(before, path);
    const { ours, ...others } = jsonc.parse(before, [], { allowTrailingComma: true }).servers;
    expect(ours).toBeDefined();
    const errors: jsonc.ParseError[] = [];
    expect(jsonc.parse(after, errors, { allowTrailingComma: true }).servers).toEqual(others);
    expect(errors).toEqual([]);
    for (const comment of before.match(/\/\/.*/g) ?? []) expect(after).toContain(comment);
  });

  test('changes nothing if it is missing', () => {
    expect(withoutMember('{ "servers": {} }', path)).toBe('{ "servers": {} }');
  });
});
