// Damages a document below the level of JSON: bytes and text that no JSON writer would produce.
import type { Dice } from './dice.ts';

export function mutateText(text: string, dice: Dice): Buffer {
  const at = dice.below(text.length + 1);
  const insert = (damage: string) => Buffer.from(text.slice(0, at) + damage + text.slice(at));
  const insertBytes = (...bytes: number[]) =>
    Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(bytes), Buffer.from(text.slice(at))]);
  return dice.among<Buffer>([
    [5, () => Buffer.from(text.slice(0, at))],
    [
      3,
      () =>
        insert(dice.pick(['\0', '\u0001', '\t', '\n', '"', '\\', '\\u', '\\ud800', ',', '}', ']', '{', '[', ':', '1'])),
    ],
    [
      3,
      () =>
        insertBytes(...dice.pick([[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]])),
    ],
    [1, () => Buffer.from(`\ufeff${text}`)],
    [1, () => Buffer.from(`\ufeff${text}`, 'utf16le')],
    [1, () => Buffer.from(text + text)],
    [1, () => Buffer.from(`${text},`)],
    [1, () => Buffer.from(text.replaceAll('"', "'"))],
    [
      1,
      () =>
        Buffer.from(dice.pick(['', ' ', '\n', 'null', 'NaN', 'undefined', '""', '0', '{', '[', '[]', '{}', '[[]]'])),
    ],
    [1, () => Buffer.from(text.replace('{', '{"id":1,"id":null,"method":"ping","method":5,'))],
    [1, () => Buffer.from(text + ' '.repeat(300_000))],
    [1, () => Buffer.from(Array.from({ length: dice.below(200) }, () => dice.below(256)))],
  ]);
}
