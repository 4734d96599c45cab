import { expect, it } from 'vitest';
import { SubjectMap } from './subject-map.ts';

interface Item {
  subject: string;
}

function map() {
  return new SubjectMap<Item>({ ofSubject: 2, together: 3 }, ({ subject }) => subject);
}

it('drops the oldest entry of a subject with too many', () => {
  const items = map();
  items.set('a', { subject: 'x' }).set('b', { subject: 'y' }).set('c', { subject: 'x' }).set('d', { subject: 'x' });
  expect([...items.keys()]).toEqual(['b', 'c', 'd']);
});

it('drops the oldest entry of all if there are too many together', () => {
  const items = map();
  items.set('a', { subject: 'x' }).set('b', { subject: 'y' }).set('c', { subject: 'z' }).set('d', { subject: 'x' });
  expect([...items.keys()]).toEqual(['b', 'c', 'd']);
});

it('counts an entry that is set again once, as the newest', () => {
  const items = map();
  items.set('a', { subject: 'x' }).set('b', { subject: 'x' }).set('a', { subject: 'x' });
  expect([...items.keys()]).toEqual(['b', 'a']);
  items.set('c', { subject: 'x' });
  expect([...items.keys()]).toEqual(['a', 'c']);
});

it('has room again after entries were deleted', () => {
  const items = map();
  items.set('a', { subject: 'x' }).set('b', { subject: 'x' });
  expect([items.delete('a'), items.delete('a')]).toEqual([true, false]);
  items.set('c', { subject: 'x' });
  expect([...items.keys()]).toEqual(['b', 'c']);
  items.clear();
  items.set('d', { subject: 'x' }).set('e', { subject: 'x' });
  expect(items.size).toBe(2);
});
