import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ReaderGone, StreamOutput } from './output.ts';

/** A stream that accepts data when the test says so. */
function slowStream() {
  const taken: string[] = [];
  const waiting: ((error?: Error) => void)[] = [];
  const stream = new Writable({
    highWaterMark: 10,
    decodeStrings: false,
    write: (text: string, _, done) => {
      taken.push(text);
      waiting.push(done);
    },
  });
  return { stream, taken, next: (error?: Error) => waiting.shift()?.(error) };
}

const line = `${'x'.repeat(20)}\n`;

describe('lines to a stream', () => {
  test('wait until the stream has room', async () => {
    const { stream, taken, next } = slowStream();
    const output = new StreamOutput(stream);
    let isDone = false;
    const writing = output.write(line).then(() => (isDone = true));
    await new Promise(setImmediate);
    expect({ isDone, taken }).toEqual({ isDone: false, taken: [line] });
    next();
    await writing;
  });

  test('are all written before the output is finished', async () => {
    const { stream, taken, next } = slowStream();
    const output = new StreamOutput(stream);
    await output.write('a\n');
    await output.write('b\n');
    let isDone = false;
    const finishing = output.finish().then(() => (isDone = true));
    await new Promise(setImmediate);
    expect(isDone).toBe(false);
    for (let n = 0; n < 3; n += 1) {
      next();
      await new Promise(setImmediate);
    }
    await finishing;
    expect(taken.join('')).toBe('a\nb\n');
  });

  test.each([
    ['EPIPE', ReaderGone],
    ['ENOSPC', Error],
  ])('that fail with %s', async (code, failure) => {
    const { stream, next } = slowStream();
    const output = new StreamOutput(stream);
    const writing = output.write(line);
    next(Object.assign(new Error(code), { code }));
    await expect(writing).rejects.toBeInstanceOf(failure);
    await expect(output.write(line)).rejects.toBeInstanceOf(failure);
  });
});
