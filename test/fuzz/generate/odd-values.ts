// Values that often cause errors: strings, URIs, cursors, numbers, whole JSON values.
import type { Dice } from './dice.ts';
import { type Json, JsonText } from './json.ts';

const strings = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u001b[31m',
  '\r\nX-Injected: 1',
  '\n\ndata: {}\n\n',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\ud800',
  'x\udc00y',
  '\ufeff',
  '\u2028',
  '\u202e',
  'e\u0301',
  '👩‍👩‍👧',
  '\u{10ffff}',
  '%',
  '../../../etc/passwd',
  '{name}',
  '${1}',
  'null',
  '{"a":1}',
  '0',
];

const numbers = ['0', '-1', '-0', '1.5', '1e308', '1e999', '-1e999', '1e-999', '9007199254740993', '9'.repeat(400)];

export const oddKeys = ['__proto__', 'constructor', 'prototype', 'toString', '', ' id', 'ID', '\0', '\ud800', 'then'];

/** The URIs of the fuzzed server. */
export const uris = [
  'notes://today',
  'notes://S%C3%A3o%20Paulo%2Fx',
  'notes://nobody',
  'files://host/a/b/c.txt',
  'page://a/3',
  'page://a',
  'clock://now',
  'secret://x',
  'boom://x',
];

export function oddString(dice: Dice): string {
  return dice.among<string>([
    [12, () => dice.pick(strings)],
    [3, () => String.fromCodePoint(...Array.from({ length: 8 }, () => codePoint(dice)))],
    [1, () => dice.pick(strings).repeat(200)],
    [1, () => 'x'.repeat(dice.pick([255, 8193, 70_000]))],
  ]);
}

export function oddUri(dice: Dice): string {
  const uri = dice.pick(uris);
  const at = dice.below(uri.length + 1);
  const insert = (text: string) => uri.slice(0, at) + text + uri.slice(at);
  const endings = [
    '%',
    '%zz',
    '%c3',
    '%ed%a0%80',
    '%00',
    '%2f',
    '%2F..%2f',
    '/',
    '//',
    '/..',
    '/../..',
    '/.',
    '?a=b',
    '#f',
  ];
  return dice.among<string>([
    [6, () => uri + dice.pick(endings)],
    [4, () => insert(dice.pick(endings))],
    [4, () => insert(String.fromCodePoint(codePoint(dice)))],
    [3, () => insert(oddString(dice))],
    [2, () => uri.toUpperCase()],
    [2, () => encodeURIComponent(uri)],
    [2, () => uri.replace('://', dice.pick([':', ':/', ':///', '//', '', '://user:pass@', '://[::1']))],
    [2, () => uri.replace(/^\w+/, dice.pick(['unknown', 'file', 'javascript', '1a', '', 'a'.repeat(300)]))],
    [1, () => uri + 'a/'.repeat(dice.pick([100, 3000, 5000]))],
    [1, () => uri + '%41'.repeat(dice.pick([100, 2700, 20_000]))],
    [2, () => oddString(dice)],
  ]);
}

export function oddCursor(dice: Dice): string {
  const position = dice.pick<Json>([
    { t: 'page://{book}{/number}', n: 3, u: 'page://a/3' },
    { t: 'page://{book}{/number}', n: 1e15, u: 'page://a/%zz' },
    { t: 'notes://{name}', n: 0, u: 'notes://gone' },
    { t: 'notes://{name}', n: -1, u: '' },
    { t: 'clock://now', n: 1, u: 'clock://now' },
    { t: '__proto__', n: 0, u: '' },
    { t: 'notes://{name}' },
    [],
    null,
  ]);
  return dice.among<string>([
    [6, () => Buffer.from(JSON.stringify(position)).toString('base64url')],
    [2, () => Buffer.from(JSON.stringify(position)).toString('base64url').slice(0, -3)],
    [3, () => oddString(dice)],
  ]);
}

export function oddNumber(dice: Dice): Json {
  return new JsonText(dice.pick(numbers));
}

export function oddValue(dice: Dice): Json {
  return dice.among<Json>([
    [6, () => dice.pick([null, true, false])],
    [5, () => oddNumber(dice)],
    [8, () => oddString(dice)],
    [2, () => oddUri(dice)],
    [4, () => dice.pick<Json>([[], {}, [null], [[]], { a: 1 }])],
    [2, () => Object.fromEntries([[dice.pick(oddKeys), dice.pick<Json>([null, 1, {}, { polluted: true }])]])],
    [1, () => Array.from({ length: dice.pick([51, 101, 2000]) }, () => dice.pick(uris))],
    [1, () => nested(dice)],
  ]);
}

function nested(dice: Dice): JsonText {
  const depth = dice.pick([100, 2000, 15_000]);
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const);
  return new JsonText(`${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`);
}

function codePoint(dice: Dice): number {
  return dice.below(17) * 0x10000 + dice.below(0x10000);
}
