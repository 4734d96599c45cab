import { expect, it } from 'vitest';
import { Reads } from './reads.ts';

/** Reads that last until the test ends them. */
function fixture() {
  const started: { uri: string; signal: AbortSignal | undefined; end: (content: string) => void }[] = [];
  const reads = new Reads<string>(
    (uri, signal) =>
      new Promise((resolve, reject) => {
        started.push({ uri, signal, end: resolve });
        signal?.addEventListener('abort', () => reject(new Error('given up')), { once: true });
      }),
  );
  return { reads, started };
}

const nothing = () => undefined;

it('a read is cancelled when all of its callers have left', async () => {
  const { reads, started } = fixture();
  const leaving = new AbortController();
  const reading = reads.fresh('a', leaving.signal);
  leaving.abort();
  await expect(reading).rejects.toThrow('given up');
  const again = reads.fresh('a');
  started.at(-1)?.end('content');
  expect(await again).toBe('content');
});

it('a read continues for its remaining callers', async () => {
  const { reads, started } = fixture();
  const first = reads.fresh('a');
  const leaving = [new AbortController(), new AbortController()];
  const [left, stays] = leaving.map(({ signal }) => reads.fresh('a', signal));
  leaving[0]?.abort();
  started[0]?.end('1');
  expect(await first).toBe('1');
  await Promise.resolve();
  expect(started).toHaveLength(2);
  started[1]?.end('2');
  expect(await Promise.all([left, stays])).toEqual(['2', '2']);
});

it('a read is cancelled when the last of several callers has left', async () => {
  const { reads, started } = fixture();
  const first = reads.fresh('a');
  const leaving = [new AbortController(), new AbortController()];
  const joined = leaving.map(({ signal }) => reads.fresh('a', signal));
  started[0]?.end('1');
  await first;
  await Promise.resolve();
  leaving[0]?.abort();
  expect(started[1]?.signal?.aborted).toBe(false);
  leaving[1]?.abort();
  for (const each of joined) await expect(each).rejects.toThrow('given up');
});

it('a read without callers does not begin', async () => {
  const { reads, started } = fixture();
  const first = reads.fresh('a');
  const leaving = new AbortController();
  const next = reads.fresh('a', leaving.signal).catch(nothing);
  leaving.abort();
  started[0]?.end('1');
  await Promise.all([first, next]);
  expect(started).toHaveLength(1);
  const later = reads.fresh('a');
  started[1]?.end('2');
  expect(await later).toBe('2');
});

it('a caller without a signal keeps its read', async () => {
  const { reads, started } = fixture();
  const first = reads.fresh('a');
  const leaving = new AbortController();
  const joined = reads.fresh('a', leaving.signal);
  const tracker = reads.fresh('a');
  leaving.abort();
  started[0]?.end('1');
  await first;
  await Promise.resolve();
  started[1]?.end('2');
  expect(await Promise.all([joined, tracker])).toEqual(['2', '2']);
});
