import { expect, it } from 'vitest';
import { networkCause } from './network-cause.ts';

it('is the code of the cause', () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
  expect(networkCause(new TypeError('fetch failed', { cause }))).toBe('ECONNREFUSED');
});

it.each([undefined, 'text', new Error('no cause'), new Error('other', { cause: new Error('without a code') })])(
  'is undefined for %s',
  (error) => {
    expect(networkCause(error)).toBeUndefined();
  },
);
