import { describe, expect, it } from 'vitest';
import type { LoggingMessageNotificationParams } from '@modelcontextprotocol/client';
import { RunningCalls } from './running-calls.ts';

const message = (data: string): LoggingMessageNotificationParams => ({ level: 'info', data });

function untilResolved(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('a message of a server', () => {
  it('belongs to the call in whose context it arrives, also among several', async () => {
    const calls = new RunningCalls({ isPipe: false });
    const heard: Record<string, unknown[]> = { a: [], b: [] };
    const call = (name: 'a' | 'b') =>
      calls.run({ logged: ({ data }) => heard[name]?.push(data) }, async () => {
        await Promise.resolve();
        calls.logged(message(name), true);
      });
    await Promise.all([call('a'), call('b')]);
    expect(heard).toEqual({ a: ['a'], b: ['b'] });
  });

  it('without a context belongs to the only call, and among several to none', async () => {
    const calls = new RunningCalls({ isPipe: true });
    const heard: unknown[] = [];
    const begin = () => {
      const { promise, resolve } = untilResolved();
      return { ended: calls.run({ logged: ({ data }) => heard.push(data) }, () => promise), end: resolve };
    };
    const first = begin();
    calls.logged(message('one'), true);
    const second = begin();
    calls.logged(message('two'), true);
    first.end();
    await first.ended;
    calls.logged(message('three'), true);
    second.end();
    await second.ended;
    calls.logged(message('four'), true);
    expect(heard).toEqual(['one', 'three']);
  });

  it.each([
    { isModern: true, heard: [] },
    { isModern: false, heard: ['elsewhere'] },
  ])('on no stream of a call belongs to another one over HTTP if the server is modern: $isModern', async (row) => {
    const calls = new RunningCalls({ isPipe: false });
    const heard: unknown[] = [];
    const { promise, resolve } = untilResolved();
    const ended = calls.run({ logged: ({ data }) => heard.push(data) }, () => promise);
    calls.logged(message('elsewhere'), row.isModern);
    resolve();
    await ended;
    expect(heard).toEqual(row.heard);
  });

  it('with a question concerns every call that it may belong to', async () => {
    const calls = new RunningCalls({ isPipe: true });
    const heard: string[] = [];
    const { promise, resolve } = untilResolved();
    const ended = ['a', 'b'].map((name) =>
      calls.run({ asked: (method) => heard.push(`${name} ${method}`) }, () => promise),
    );
    calls.asked('roots/list');
    resolve();
    await Promise.all(ended);
    expect(heard).toEqual(['a roots/list', 'b roots/list']);
  });
});
