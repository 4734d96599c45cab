import { expect, it } from 'vitest';
import { readUpTo } from './read-up-to.ts';

it('reads a whole body that is short enough', async () => {
  expect((await readUpTo(new Response('12345').body, 5)).toString()).toBe('12345');
  expect((await readUpTo(new Response(null).body, 5)).toString()).toBe('');
});

it('reads no more of a longer body, and cancels the rest', async () => {
  let pulled = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(4));
      },
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  expect(await readUpTo(new Response(body).body, 5)).toHaveLength(8);
  expect([pulled, isCancelled]).toEqual([2, true]);
});

it('reads any source of bytes', async () => {
  async function* pieces() {
    yield* [Buffer.from('123'), Buffer.from('45')];
  }
  expect((await readUpTo(pieces(), 5)).toString()).toBe('12345');
  expect((await readUpTo(null, 5)).toString()).toBe('');
});
