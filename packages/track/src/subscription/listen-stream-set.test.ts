import { FakeClock } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { type OpenListenStream, ListenStreamSet } from './listen-stream-set.ts';

function setup() {
  const clock = new FakeClock();
  const set = new ListenStreamSet(clock);
  const closed: string[] = [];
  const stream = (name: string, count: number): OpenListenStream => ({
    isEnded: false,
    uris: new Set(Array.from({ length: count }, (_, index) => `${name}://${index}`)),
    handedOver: new Set(),
    unwanted: 0,
    subscription: { close: async () => void closed.push(name) },
  });
  const used = (name: string, count: number) => {
    const made = stream(name, count);
    set.use(made);
    return made;
  };
  return { clock, set, closed, stream, used };
}

it('absorbs streams up to eight times as large, the smallest first', () => {
  const { set, used } = setup();
  const [large, small] = [used('large', 100), used('small', 8)];
  expect(set.replaceable(1, Infinity)).toEqual([small]);
  expect(set.replaceable(12, Infinity)).toEqual([small, large]);
  expect(set.replaceable(12, 100)).toEqual([small]);
});

it('replaces a stream once a seventeenth of its URIs is unwanted, also without additions', () => {
  const { set, used } = setup();
  const stream = used('a', 34);
  set.release('a://0');
  expect(set.replaceable(0, Infinity)).toEqual([]);
  set.release('a://1');
  expect([set.replaceable(0, Infinity), set.active.size]).toEqual([[stream], 32]);
});

it('reads a replaced stream for three seconds, at most sixteen of them', () => {
  const { clock, set, closed, used } = setup();
  for (let index = 0; index < 17; index += 1) set.replace(used(`${index}`, 1));
  expect(closed).toEqual(['0']);
  clock.advance(2999);
  expect(closed).toHaveLength(1);
  clock.advance(1);
  expect([closed.length, clock.waiting, set.closeReplaced()]).toEqual([17, 0, false]);
});

it('distinguishes the end of a stream in use from that of a replaced one', () => {
  const { set, stream, used } = setup();
  const [old, other] = [used('a', 2), used('b', 1)];
  set.use(stream('a', 2));
  set.replace(old);
  expect([set.end(old), [...set.active]]).toEqual([false, ['a://0', 'a://1', 'b://0']]);
  expect([...old.handedOver]).toEqual(['a://0', 'a://1']);
  expect([set.end(other), [...set.active], set.size]).toEqual([true, ['a://0', 'a://1'], 1]);
});

it('does not use a stream that has ended meanwhile', () => {
  const { set, stream } = setup();
  const ended = stream('a', 1);
  set.end(ended);
  set.use(ended);
  expect([set.size, set.active.size]).toEqual([0, 0]);
});
