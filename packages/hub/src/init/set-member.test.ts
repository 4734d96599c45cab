import * as jsonc from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { setMember } from './set-member.ts';

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
