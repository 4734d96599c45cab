import { describe, expect, it } from 'vitest';
import { criteriaOf, isAmong, wordsOf } from './criteria.ts';

describe('the criteria of a search', () => {
  it('are compared without case, accents and spaces; empty ones are none', () => {
    expect(criteriaOf({ subject: '  Crème   BRÛLÉE ' }).subject).toBe('creme brulee');
    expect(criteriaOf({ subject: ' ', party: '' })).toMatchObject({ subject: undefined, party: undefined });
    expect(criteriaOf({}).tags).toEqual([]);
  });

  it('find a telephone number as written and by its digits', () => {
    expect(criteriaOf({ party: 'tel:+1 (555) 12-34' }).party).toEqual(['tel:+1 (555) 12-34', '+15551234']);
    expect(criteriaOf({ party: 'Jane' }).party).toEqual(['jane']);
  });

  it('use a whole day for a date, and a time as given', () => {
    const day = criteriaOf({ start_date: '2025-10-14', end_date: ' 2025-10-14 ' });
    expect((day.to ?? 0) - (day.from ?? 0)).toBe(24 * 3600 * 1_000_000 - 1);
    const moment = criteriaOf({ start_date: '2025-10-14T00:00:00Z', end_date: '2025-10-14T02:00:00+02:00' });
    expect([moment.from, moment.to]).toEqual([day.from, day.from]);
  });

  it.each(['start_date', 'end_date'] as const)('refuse an invalid %s, with an example', (name) => {
    expect(() => criteriaOf({ [name]: 'yesterday' })).toThrow(
      `${name} is not a time: write it as 2025-10-14 or 2025-10-14T10:30:00Z.`,
    );
  });

  it('trim the tags', () => {
    expect(criteriaOf({ tags: { ' a ': ' b ' } }).tags).toEqual(criteriaOf({ tags: { a: 'b' } }).tags);
  });
});

describe('the words of a query', () => {
  it('are all required; of the last one, the beginning is enough unless it is short', () => {
    expect(wordsOf('Billing the invo')).toEqual({ whole: ['billing', 'the'], begun: 'invo' });
    expect(wordsOf('plan b')).toEqual({ whole: ['plan', 'b'], begun: undefined });
    expect(wordsOf('a a a')).toEqual({ whole: ['a'], begun: undefined });
  });

  it('are found as words, or as the beginning of one', () => {
    const wanted = wordsOf('billing invo');
    expect(['billing', 'invoice', 'invo', 'billings', 'in'].map((word) => isAmong(wanted, word))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('are at least one and not too many', () => {
    expect(() => wordsOf('?!')).toThrow('There is no word in the query');
    expect(() => wordsOf(Array.from({ length: 60 }, (_, n) => `w${n}`).join(' '))).toThrow('too many words');
  });
});
