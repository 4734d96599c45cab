import { describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { endsWhile, endsWithin, timeLimit, withTimeout } from './timeout.ts';

const never = new Promise<never>(() => undefined);
const late = () => new Error('late');

describe('withTimeout', () => {
  it('settles as the work does, and leaves no timer', async () => {
    const clock = new FakeClock();
    await expect(withTimeout(clock, 10, Promise.resolve('value'), late)).resolves.toBe('value');
    await expect(withTimeout(clock, 10, Promise.reject(new Error('own')), late)).rejects.toThrow('own');
    expect(clock.waiting).toBe(0);
  });

  it('rejects after the time', async () => {
    const clock = new FakeClock();
    const result = withTimeout(clock, 10, never, late);
    clock.advance(10);
    await expect(result).rejects.toThrow('late');
  });

  it('handles a failure that comes after the time', async () => {
    const clock = new FakeClock();
    const { promise, reject } = withResolvers();
    const result = withTimeout(clock, 10, promise, late);
    clock.advance(10);
    reject(new Error('own'));
    await expect(result).rejects.toThrow('late');
  });
});

describe('endsWithin', () => {
  it('is true for work that ends in time, and leaves no timer', async () => {
    const clock = new FakeClock();
    expect(await endsWithin(clock, 10, Promise.resolve())).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it('is false after the time', async () => {
    const clock = new FakeClock();
    const result = endsWithin(clock, 10, never);
    clock.advance(10);
    expect(await result).toBe(false);
  });

  it('rejects where the work does', async () => {
    const clock = new FakeClock();
    await expect(endsWithin(clock, 10, Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(clock.waiting).toBe(0);
  });
});

describe('endsWhile', () => {
  it('is true for work that ends in time, and leaves no timer', async () => {
    const clock = new FakeClock();
    expect(await endsWhile(clock, () => 10, Promise.resolve())).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it('is false when the time is over, which may be later than it was at first', async () => {
    const clock = new FakeClock();
    let endsAt = clock.now() + 10;
    let outcome: boolean | undefined;
    const result = endsWhile(clock, () => endsAt - clock.now(), never).then((value) => (outcome = value));
    endsAt += 5;
    clock.advance(10);
    await Promise.resolve();
    expect(outcome).toBeUndefined();
    clock.advance(5);
    expect(await result).toBe(false);
    expect(clock.waiting).toBe(0);
  });

  it('rejects where the work does', async () => {
    const clock = new FakeClock();
    await expect(endsWhile(clock, () => 10, Promise.reject(new Error('own')))).rejects.toThrow('own');
    expect(clock.waiting).toBe(0);
  });
});

describe('timeLimit', () => {
  it('aborts its signal when the time is over', () => {
    const clock = new FakeClock();
    const limit = timeLimit(clock, 10);
    clock.advance(9);
    expect([limit.signal.aborted, limit.isExceeded]).toEqual([false, false]);
    clock.advance(1);
    expect([limit.signal.aborted, limit.isExceeded]).toEqual([true, true]);
  });

  it('is not exceeded when the signal of the caller was aborted', () => {
    const caller = new AbortController();
    const limit = timeLimit(new FakeClock(), 10, caller.signal);
    caller.abort();
    expect([limit.signal.aborted, limit.isExceeded]).toEqual([true, false]);
  });

  it('is aborted from the beginning by a signal that was', () => {
    const limit = timeLimit(new FakeClock(), 10, AbortSignal.abort());
    expect([limit.signal.aborted, limit.isExceeded]).toEqual([true, false]);
  });

  it('gives the reason when the time is over', () => {
    const clock = new FakeClock();
    const limit = timeLimit(clock, 10, undefined, late);
    clock.advance(10);
    expect(limit.signal.reason).toEqual(late());
  });

  it('ends when it is cleared', () => {
    const clock = new FakeClock();
    const limit = timeLimit(clock, 10);
    limit.clear();
    clock.advance(10);
    expect([limit.signal.aborted, clock.waiting]).toEqual([false, 0]);
  });
});

function withResolvers() {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<void>((_resolve, fail) => {
    reject = fail;
  });
  return { promise, reject };
}
