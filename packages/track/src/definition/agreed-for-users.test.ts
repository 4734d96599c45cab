import { expect, it } from 'vitest';
import { AgreedForUsers } from './agreed-for-users.ts';

it('offers of a pinned server what was agreed to for all, and of another what it has', () => {
  let isPinned = true;
  const agreed = new Map([['tool search', 'as agreed']]);
  const known = new AgreedForUsers({
    isPinned: () => isPinned,
    agreedText: ({ kind, name }) => agreed.get(`${kind} ${name}`),
  });
  const isOffered = (name: string) => known.isAgreed({ kind: 'tool', name });
  expect(isOffered('search')).toBe(false);
  const texts = [
    ['search', 'as agreed'],
    ['write', 'new'],
  ] as const;
  expect(known.see('tool', new Map(texts))).toEqual([]);
  expect([isOffered('search'), isOffered('write'), isOffered('none')]).toEqual([true, false, false]);
  known.see('tool', new Map([['search', 'changed']]));
  expect(isOffered('search')).toBe(false);
  isPinned = false;
  expect([isOffered('search'), isOffered('write')]).toEqual([true, false]);
  expect([known.heldCount, known.held(), known.agree(), known.release()]).toEqual([0, [], [], []]);
});
