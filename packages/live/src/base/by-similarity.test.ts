import { expect, test } from 'vitest';
import { bySimilarity } from './by-similarity.ts';

test('the most similar name comes first, whatever its case', () => {
  expect(bySimilarity('Windowms', ['pageSize', 'windowMs'])).toEqual([
    { name: 'windowMs', distance: 0 },
    { name: 'pageSize', distance: 8 },
  ]);
});

test('names that are equally similar keep their order', () => {
  expect(bySimilarity('note-', ['note-b', 'note-a']).map(({ name }) => name)).toEqual(['note-b', 'note-a']);
});

test('a name may have several spellings', () => {
  const city = (zone: string) => [zone, zone.split('/')[1] ?? ''];
  expect(bySimilarity('berlim', ['Europe/Paris', 'Europe/Berlin'], city)[0]).toEqual({
    name: 'Europe/Berlin',
    distance: 1,
  });
});
