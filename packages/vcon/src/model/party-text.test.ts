import { describe, expect, it } from 'vitest';
import { folded, partyText } from './party-text.ts';

describe('the text of parties', () => {
  const text = partyText([
    { name: 'José  Doe', tel: '+1-555-1234', mailto: 'Jose.Doe@Example.com', validation: 'checked by ssn' },
    { org: 'ACME', meta: { ids: ['A-7', 42] }, sip: 'sip:joe@pbx.example' },
    {},
  ]);
  // Queries are folded in the same way, so a number is found with any grouping of its digits.
  const isFoundBy = (query: string) =>
    partyText([query])
      .split('\n')
      .some((line) => text.includes(line));

  it.each([
    'jose doe',
    'José',
    '+1-555-1234',
    '15551234',
    '+1 (555) 12 34',
    '5551234',
    'jose.doe@example.com',
    '@EXAMPLE',
    'acme',
    'a-7',
    '42',
    'sip:joe@pbx',
  ])('is found by %s', (query) => {
    expect(isFoundBy(query)).toBe(true);
  });

  it.each(['ssn', 'doe acme', '999'])('is not found by %s', (query) => {
    expect(isFoundBy(query)).toBe(false);
  });

  it('is empty without parties', () => {
    expect([undefined, null, 'x', [], [{}]].map((parties) => partyText(parties))).toEqual(['', '', '', '', '']);
  });
});

describe('folded text', () => {
  it.each([
    ['  Überweisung\n№ 7 ', 'uberweisung no 7'],
    ['a\0b\ud800c', 'a bc'],
  ])('of %j is %j', (text, expected) => {
    expect(folded(text)).toBe(expected);
  });
});
