import { describe, expect, it } from 'vitest';
import { pageOf } from './pages.ts';

const items = Array.from({ length: 2500 }, (_, index) => `item-${String(index).padStart(4, '0')}`);
const page = (list: readonly string[], cursor?: string) => pageOf(list, (item) => item, cursor);

describe('pages', () => {
  it('contain every item once', () => {
    const found: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const { items: part, nextCursor } = page(items, cursor);
      found.push(...part);
      cursor = nextCursor;
    }
    expect(found).toEqual(items);
  });

  it('continue at the same item after earlier items were added or removed', () => {
    const { nextCursor } = page(items);
    expect(page(['new', ...items], nextCursor).items[0]).toBe('item-1000');
    expect(page(items.slice(5), nextCursor).items[0]).toBe('item-1000');
  });

  it('end without a cursor, also an empty one', () => {
    expect(page(['a', 'b'])).toEqual({ items: ['a', 'b'] });
    expect(page([])).toEqual({ items: [] });
  });

  it('refuse a cursor of another list', () => {
    expect(() => page(items, 'nonsense')).toThrow(expect.objectContaining({ code: 'INVALID_PARAMS' }));
  });
});
