import { expect, it } from 'vitest';
import { shownValue } from './shown-value.ts';

it.each([
  ['text', "'text'"],
  [NaN, 'NaN'],
  [-5, '-5'],
  [undefined, 'undefined'],
  [null, 'null'],
  [1n, '1'],
  [Symbol('s'), 'Symbol(s)'],
  [() => 1, '[function ]'],
  [{ a: [1, { big: 2n }] }, '{"a":[1,{"big":"2n"}]}'],
])('shows %s', (value, text) => {
  expect(shownValue(value)).toBe(text);
});

it('shows cyclic values and values whose members throw', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  expect(shownValue(circular)).toBe('{"self":"[seen before]"}');
  const broken = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  expect(shownValue(broken)).toBe('[object Object]');
});

it('shows the stack, the fields and the causes of an error', () => {
  const cause = new Error('behind');
  const text = shownValue(Object.assign(new Error('front', { cause }), { code: 'E_FRONT' }));
  expect(text).toMatch(/^Error: front\n {4}at /);
  expect(text).toContain("code='E_FRONT'");
  expect(text).toContain('[cause]: Error: behind');
  const itself = new Error('round');
  itself.cause = itself;
  expect(shownValue(itself)).toContain('Error: round');
});
