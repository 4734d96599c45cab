import { describe, expect, it } from 'vitest';
import * as check from './check-options.ts';

const { checkOptions, checkValue, suggestion } = check;
const checks = { input: check.anything, windowMs: check.milliseconds, name: check.aText };

describe('options', () => {
  it.each([[{}], [{ name: 'x' }], [{ name: undefined, windowMs: 0 }], [{ input: null }], [Object.create(null)]])(
    '%j are accepted',
    (options) => {
      expect(() => checkOptions('x()', options, checks)).not.toThrow();
    },
  );

  it.each<[options: unknown, message: string]>([
    [undefined, 'x() needs an object of options, and got undefined.'],
    [null, 'x() needs an object of options, and got null.'],
    [[], 'x() needs an object of options, and got [].'],
    ['name', "x() needs an object of options, and got 'name'."],
    [() => 1, 'x() needs an object of options, and got [function ].'],
    [{ inputSchema: 1 }, 'x() has no option "inputSchema": did you mean "input"?'],
    [{ windowms: 1 }, 'x() has no option "windowms": did you mean "windowMs"?'],
    [{ windowms: undefined }, 'x() has no option "windowms": did you mean "windowMs"?'],
    [{ other: 1 }, 'x() has no option "other": it takes input, windowMs, name.'],
    [{ constructor: 1 }, 'x() has no option "constructor": it takes input, windowMs, name.'],
    [JSON.parse('{"__proto__":1}'), 'x() has no option "__proto__": it takes input, windowMs, name.'],
    [{ name: '' }, `x(): "name" must be a text that is not empty, and is ''.`],
    [{ name: 10n }, 'x(): "name" must be a text that is not empty, and is 10.'],
    [{ windowMs: Number.NaN }, 'x(): "windowMs" must be a number of milliseconds from 0 to 2147483647, and is NaN.'],
  ])('%o are refused: %s', (options, message) => {
    expect(() => checkOptions('x()', options, checks)).toThrow(new TypeError(message));
  });

  it('that are required must be given', () => {
    const required = ['name'];
    expect(() => checkOptions('x()', { name: 'a' }, checks, required)).not.toThrow();
    for (const options of [{}, { name: undefined }, { windowMs: 1 }])
      expect(() => checkOptions('x()', options, checks, required)).toThrow(
        new TypeError('x() needs "name": a text that is not empty.'),
      );
    expect(() => checkOptions('x()', {}, checks, ['more'])).toThrow('x() needs "more": a value.');
  });

  it('may be inherited, as those of a class are, if they are required', () => {
    class Given {
      get name() {
        return 'x';
      }
    }
    expect(() => checkOptions('x()', new Given(), checks, ['name'])).not.toThrow();
  });
});

it.each([
  ['inpt', 'did you mean "input"?'],
  ['INPUT', 'did you mean "input"?'],
  ['inputs', 'did you mean "input"?'],
  ['tool', 'did you mean "tools"?'],
  // Two of four letters, and two of three.
  ['ab', 'it takes input, tools, abcd.'],
  ['abc', 'did you mean "abcd"?'],
  ['xxxols', 'it takes input, tools, abcd.'],
  ['xyz', 'it takes input, tools, abcd.'],
  ['', 'it takes input, tools, abcd.'],
  ['x'.repeat(100), 'it takes input, tools, abcd.'],
])('for "%s" it says: %s', (name, said) => {
  expect(suggestion(name, ['input', 'tools', 'abcd'])).toBe(said);
});

it('a value is checked under its name', () => {
  expect(() => checkValue('The name', 'x', check.aText)).not.toThrow();
  expect(() => checkValue('The name', 7, check.aText)).toThrow('The name must be a text that is not empty, and is 7.');
});

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;
const longest = 2 ** 31 - 1;

const cases: Record<string, [check: check.Check, accepted: unknown[], refused: unknown[]]> = {
  anything: [check.anything, [undefined, null, 0, {}], []],
  'a boolean': [check.aBoolean, [true, false], [0, 1, '', 'true', null, undefined]],
  'a text': [check.aText, ['x', ' ', '😀'], ['', 7, null, ['x'], Object('x')]],
  'a string': [check.aString, ['x', ''], [7, null, undefined, Object('x')]],
  'a list': [check.aList, [[], [1]], [{ length: 0 }, 'x', null, new Set()]],
  texts: [check.texts, [[], ['x', 'y']], [[''], ['x', 7], 'x', null]],
  'a function': [check.aFunction, [() => 1, Map], [{}, null, 'x']],
  'an object': [check.anObject, [{}, Object.create(null), new Map()], [null, [], 'x', () => 1]],
  'an object with JSON': [
    check.aJsonObject,
    [{}, { a: [1, null] }],
    [{ a: 1n }, cycle, [], null, { toJSON: () => undefined }],
  ],
  'an object of functions': [check.functions, [{}, { a: () => 1 }], [{ a: 1 }, [() => 1], null, () => 1]],
  milliseconds: [check.milliseconds, [0, 0.5, longest], [-1, longest + 1, Infinity, Number.NaN, '5', null]],
  'a count': [check.aCount, [1, 2 ** 53, Infinity], [0, 1.5, -1, -Infinity, Number.NaN, '1', 1n]],
  'a port': [check.aPort, [0, 65_535], [-1, 65_536, 1.5, Number.NaN, Infinity, '80']],
  'a path': [check.aPath, ['/', '/mcp', '//x'], ['', 'mcp', 'http://x/', 7, null]],
  'one of two': [check.oneOf('a', 1), ['a', 1], ['1', 'b', null, undefined]],
  'an object with methods': [
    check.having('info', 'warn'),
    [console],
    [{ info: () => 1 }, { info: 1, warn: 1 }, null, []],
  ],
  'one or the other': [check.either(check.aBoolean, check.aPath), [true, '/x'], ['x', 1, null]],
};

describe.each(Object.entries(cases))('%s', (_, [{ accepts }, accepted, refused]) => {
  it('is accepted, and nothing else', () => {
    for (const value of accepted) expect({ value, isAccepted: accepts(value) }).toEqual({ value, isAccepted: true });
    for (const value of refused) expect({ value, isAccepted: accepts(value) }).toEqual({ value, isAccepted: false });
  });
});

it('what is expected is said in words', () => {
  expect(check.aPort.expected).toBe('a whole number from 0 to 65535');
  expect(check.oneOf('a', 1, null).expected).toBe('"a" or 1 or null');
  expect(check.having('info', 'warn').expected).toBe('an object with info() and warn()');
  expect(check.either(check.aBoolean, check.aPath).expected).toBe('true or false or a path that starts with "/"');
});
