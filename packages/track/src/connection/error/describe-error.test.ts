import { expect, it } from 'vitest';
import { describeError } from './describe-error.ts';

it('names the root cause, even if that is only a code', () => {
  const failed = (cause: Error) =>
    describeError(new Error('No session', { cause: new TypeError('fetch failed', { cause }) }));
  expect(failed(new Error('connect ECONNREFUSED 127.0.0.1:1'))).toBe('No session (connect ECONNREFUSED 127.0.0.1:1)');
  expect(failed(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }))).toBe('No session (ECONNREFUSED)');
  expect(describeError(new Error('alone'))).toBe('alone');
});
