import { expect, it } from 'vitest';
import { pageOf } from './pages.ts';

const nameOf = (name: string) => name;
const names = Array.from({ length: 1500 }, (_, n) => `r://${n}`);

it('goes on after the last item, wherever it stands by then', () => {
  const { items, nextCursor } = pageOf(names, nameOf, undefined);
  expect(items).toHaveLength(1000);
  expect(pageOf(names, nameOf, nextCursor)).toEqual({ items: names.slice(1000) });
  expect(pageOf(['r://new', ...names], nameOf, nextCursor)).toEqual({ items: names.slice(1000) });
});

it('skips nothing when the last item and others before it are gone', () => {
  const { nextCursor } = pageOf(names, nameOf, undefined);
  const left = [...names.slice(500, 995), ...names.slice(1000)];
  expect(pageOf(left, nameOf, nextCursor)).toEqual({ items: names.slice(1000) });
});

it('refuses a cursor when everything it names is gone, and one that is not its own', () => {
  const { nextCursor } = pageOf(names, nameOf, undefined);
  expect(() => pageOf(names.slice(1000), nameOf, nextCursor)).toThrow('changed too much');
  expect(() => pageOf(names, nameOf, 'x')).toThrow('not one of ours');
});
