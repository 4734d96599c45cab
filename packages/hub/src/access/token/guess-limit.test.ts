import { FakeClock } from '@tidings/live/testing';
import { beforeEach, expect, it } from 'vitest';
import { GuessLimit } from './guess-limit.ts';

const address = '192.0.2.7';
let clock: FakeClock;
let limit: GuessLimit;

beforeEach(() => {
  clock = new FakeClock();
  limit = new GuessLimit(clock);
});

let guesses = 0;
const wrong = (count: number, from = address) => {
  let pause = 0;
  for (let guess = 0; guess < count; guess += 1) {
    guesses += 1;
    pause = limit.wrong({ address: from, token: `guess ${guesses}` })?.pauseMs ?? -1;
  }
  return pause;
};

it('allows an address a few errors, then pauses it for longer each time, up to a minute', () => {
  expect(wrong(4)).toBe(0);
  expect(limit.pauseFor({ address, token: 'next' })).toBe(0);
  expect([wrong(1), wrong(1, address), 0][0]).toBe(1000);
  expect(wrong(20)).toBe(60_000);
  expect(limit.pauseFor({ address, token: 'next' })).toBe(60_000);
});

it('pauses no other address, however many guess', () => {
  for (let host = 0; host < 300; host += 1) wrong(9, `198.51.100.${host}`);
  expect(limit.pauseFor({ address, token: 'right' })).toBe(0);
  // While this many addresses guess, a single error is enough.
  expect(wrong(1)).toBe(1000);
});

it('counts a network of IPv6 addresses as one address', () => {
  wrong(9, '2001:db8:0:1::1');
  expect(limit.pauseFor({ address: '2001:db8::1:ffff:0:0:2', token: 'x' })).toBeGreaterThan(0);
  expect(limit.pauseFor({ address: '2001:db8:0:2::1', token: 'x' })).toBe(0);
});

it('does not count a repeated old token as an error', () => {
  for (let times = 0; times < 50; times += 1) limit.wrong({ address, token: `old ${times % 4}` });
  expect(limit.pauseFor({ address, token: 'right' })).toBe(0);
  wrong(9);
  expect(limit.pauseFor({ address, token: 'right' })).toBeGreaterThan(0);
});

it('forgets errors after a while', () => {
  wrong(9);
  clock.advance(11 * 60_000);
  expect(wrong(4)).toBe(0);
});

it('remembers a bounded number of addresses', () => {
  wrong(9);
  for (let host = 0; host < 10_000; host += 1) limit.wrong({ address: `10.${host >> 8}.${host & 255}.1`, token: 'x' });
  expect(limit.pauseFor({ address, token: 'x' })).toBe(0);
});
