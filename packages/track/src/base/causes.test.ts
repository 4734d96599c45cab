import { expect, it } from 'vitest';
import { causes } from './causes.ts';

it('begin with the error itself and end before a cause that is no error', () => {
  const root = new Error('root', { cause: 'text' });
  const error = new Error('outer', { cause: new TypeError('inner', { cause: root }) });
  expect(causes(error).map(({ message }) => message)).toEqual(['outer', 'inner', 'root']);
  expect(causes('text')).toEqual([]);
});

it('end after ten, even if an error is its own cause', () => {
  const error = new Error('circle');
  error.cause = error;
  expect(causes(error)).toHaveLength(10);
});
