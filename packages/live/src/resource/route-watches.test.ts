import { expect, it } from 'vitest';
import { RouteWatches } from './route-watches.ts';

function setup() {
  const errors: object[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields: object) => void errors.push(fields),
  };
  const calls: string[] = [];
  const watches = new RouteWatches(log, 'a://{id}');
  const begin = (uri: string) =>
    watches.begin(uri, () => {
      calls.push(`watch ${uri}`);
      return () => void calls.push(`end ${uri}`);
    });
  return { watches, begin, calls, errors };
}

it('calls watch for the first of overlapping watches, and its end after the last', () => {
  const { begin, calls } = setup();
  const [one, two, other] = [begin('a://1'), begin('a://1'), begin('a://2')];
  one.end();
  expect(calls).toEqual(['watch a://1', 'watch a://2']);
  two.end();
  other.end();
  begin('a://1');
  expect(calls.slice(2)).toEqual(['end a://1', 'end a://2', 'watch a://1']);
});

it('logs each failure once', () => {
  const { watches, errors } = setup();
  const err = new Error('cannot watch');
  const fail = () => {
    throw err;
  };
  watches.begin('a://1', fail).end();
  watches.begin('a://2', () => fail).end();
  expect(errors).toEqual([
    { err, route: 'a://{id}', handler: 'watch', uri: 'a://1' },
    { err, route: 'a://{id}', handler: 'watch', uri: 'a://2' },
  ]);
});

it('ends a watch that begins late once it has begun', async () => {
  const { watches } = setup();
  let ended = 0;
  watches.begin('a://1', async () => () => void (ended += 1)).end();
  expect(ended).toBe(0);
  await Promise.resolve();
  await Promise.resolve();
  expect(ended).toBe(1);
});
