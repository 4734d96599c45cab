import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchableText, words, wordsInOrder } from './searchable-text.ts';

describe('searchable text', () => {
  it('contains the subject, the dialog and the analysis', () => {
    const text = searchableText({
      head: { subject: 'Billing', uuid: 'hidden' },
      dialog: [
        { type: 'text', body: 'Hello there' },
        { type: 'recording', encoding: 'base64url', mediatype: 'audio/wav', body: 'c2VjcmV0' },
        {},
      ],
      analysis: [
        { type: 'transcript', body: '{"transcript":"my invoice","confidence":0.98}' },
        { type: 'summary', body: 'Refund given' },
        { type: 'diarized', body: { turns: [{ speaker: 'A', message: 'Good day' }] } },
      ],
    });
    expect(text.split('\n')).toEqual(['Billing', 'Hello there', 'my invoice', 'Refund given', 'A', 'Good day']);
  });

  it('has characters and a length that every database accepts', () => {
    const long = searchableText({ head: {}, dialog: [{ body: 'x'.repeat(500_000) }, { body: 'y' }], analysis: null });
    expect(long).toHaveLength(400_000);
    const odd = searchableText({ head: { subject: 'a\0b\ud800' }, dialog: 'nonsense', analysis: undefined });
    expect(odd).toBe('a b\ufffd');
  });
});

describe('words', () => {
  it.each([
    ['Hello, World! 42', ['hello', 'world', '42']],
    ['Café ＣＲÈＭＥ naïve', ['cafe', 'creme', 'naive']],
    ['İstanbul ΟΔΟΣ', ['istanbul', 'οδοσ']],
    ["don't e-mail", ['don', 't', 'e', 'mail']],
    ['東京都', ['東', '東京', '京', '京都', '都']],
    ['iPhoneを買う2台', ['iphone', 'を', 'を買', '買', '買う', 'う', '2', '台']],
    ['x'.repeat(70), ['x'.repeat(64)]],
    ['a\0b\ud800c', ['a', 'b', 'c']],
    ['', []],
    [' .,;', []],
  ])('of %j are %j', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('of a part of a text without spaces are all words of the whole text', () => {
    const all = new Set(words('大東京都庁へ行きました'));
    for (const part of ['東京', '東京都', '行きました', '庁']) {
      expect(words(part).filter((word) => !all.has(word))).toEqual([]);
    }
  });

  it('do not change when split again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = words(text);
        expect(once.every((word) => word !== '' && word.isWellFormed() && !/[\s\0]/.test(word))).toBe(true);
        const spaced = once.filter((word) => word.length === 1 || words(word).length === 1);
        expect(words(spaced.join(' '))).toEqual(spaced);
      }),
    );
  });
});

describe('words in order', () => {
  const parted = (text: string) =>
    wordsInOrder(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '');

  it.each(['Hello, World! 42', 'Café ＣＲÈＭＥ', '東京都', `${'x'.repeat(64)} ${'y'.repeat(64)}`])('of %s', (text) => {
    expect(parted(text)).toEqual(words(text));
  });

  it('are cut if long, at any position', () => {
    const word = fc.integer({ min: 1, max: 140 }).map((length) => 'w'.repeat(length));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (list) => {
        expect(parted(list.join(', '))).toEqual(words(list.join(', ')));
      }),
    );
  });
});
