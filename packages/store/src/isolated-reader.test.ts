import type { Change, Log } from '@tidings/live';
import { describe, expect, it } from 'vitest';
import { IsolatedReader } from './isolated-reader.ts';

const change: Change = { cursor: '1', topics: ['note://a'] };

function readerWith(failure?: Error) {
  const [calls, errors]: [string[], unknown[]] = [[], []];
  const act = (name: string) => {
    calls.push(name);
    if (failure) throw failure;
  };
  const log: Log = { warn: () => undefined, error: (details) => void errors.push(details) };
  const reader = new IsolatedReader({ change: () => act('change'), gap: () => act('gap') }, log);
  return { reader, calls, errors };
}

describe('IsolatedReader', () => {
  it('passes changes and gaps on', () => {
    const { reader, calls } = readerWith();
    reader.change(change);
    reader.gap();
    expect(calls).toEqual(['change', 'gap']);
  });

  it('logs an error of the reader instead of throwing it, and calls the reader again', () => {
    const failure = new Error('Not today.');
    const { reader, calls, errors } = readerWith(failure);
    reader.change(change);
    reader.gap();
    expect(calls).toEqual(['change', 'gap']);
    expect(errors).toEqual([{ err: failure }, { err: failure }]);
  });

  it('does not call a reader that has left', () => {
    const { reader, calls } = readerWith();
    reader.leave();
    reader.change(change);
    reader.gap();
    expect(calls).toEqual([]);
  });
});
