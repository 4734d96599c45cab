import { expect, it } from 'vitest';
import { textOfInput } from './text-of-input.ts';

const megabyte = Buffer.alloc(1024 * 1024, 'x');

it('text is joined before it is decoded', async () => {
  const [first, second] = [Buffer.from('{"a": "ä"}').subarray(0, 8), Buffer.from('{"a": "ä"}').subarray(8)];
  async function* pieces() {
    yield* [first, second];
  }
  expect(await textOfInput(pieces())).toBe('{"a": "ä"}');
});

it('input that does not end is refused', async () => {
  let read = 0;
  async function* endless() {
    for (; read < 500; read += 1) yield megabyte;
  }
  await expect(textOfInput(endless())).rejects.toThrow('more than 67108864 bytes on stdin');
  expect(read).toBeLessThan(70);
});
