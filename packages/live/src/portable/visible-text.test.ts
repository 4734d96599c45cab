import { expect, it } from 'vitest';
import { visibleJson, visibleText } from './visible-text.ts';

const steering = /[^\P{Cc}\n\t]|[\u202E\u{E0041}\u{FEFF}]/u;

it.each([
  ['plain text\n\twith lines', 'plain text\n\twith lines'],
  ['two\r\nlines', 'two\nlines'],
  ['over\rwritten', 'over␍written'],
  ['\u001B]0;a title\u0007', '␛]0;a title␇'],
  ['\u001B[2J\u0000\u0008\u007F', '␛[2J␀␈␡'],
  ['eight bits: \u009B2J', 'eight bits: <U+009B>2J'],
  ['backwards: \u202Etxt.exe', 'backwards: <U+202E>txt.exe'],
  ['a tag: \u{E0041}', 'a tag: <U+E0041>'],
  ['👩‍👩‍👧 日本 é', '👩‍👩‍👧 日本 é'],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it('visible text has no terminal control characters, and JSON stays the same document', () => {
  const all =
    Array.from({ length: 0x300 }, (_, code) => String.fromCodePoint(code)).join('') + '\u{202E}\u{E0041}\u{FEFF}';
  expect(visibleText(all)).not.toMatch(steering);
  for (const json of [JSON.stringify({ all }), JSON.stringify({ all }, null, 2)]) {
    expect(visibleJson(json)).not.toMatch(steering);
    expect(JSON.parse(visibleJson(json))).toEqual({ all });
  }
});
