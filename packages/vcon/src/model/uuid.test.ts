import { describe, expect, it } from 'vitest';
import { asUuid, derivedUuid, newUuid } from './uuid.ts';

describe('a UUID', () => {
  it.each([
    '123e4567-e89b-12d3-a456-426614174000',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '019f15a6-a752-826f-b9a2-279e0d16bc46',
  ])('is %s', (text) => {
    expect(asUuid(text)).toBe(text);
    expect(asUuid(text.toUpperCase())).toBe(text);
  });

  it.each([
    '-'.repeat(36),
    '',
    '123e4567e89b12d3a456426614174000',
    '123e4567-e89b-12d3-a456-42661417400',
    '123e4567-e89b-12d3-a456-4266141740000',
    '123e4567-e89b-12d3-a456-42661417400g',
    '123e4567-e89b-12d3-a456-426614174000\n',
    'urn:uuid:123e4567-e89b-12d3-a456-426614174000',
    '{123e4567-e89b-12d3-a456-426614174000}',
  ])('is not %j', (text) => {
    expect(asUuid(text)).toBeUndefined();
  });
});

describe('a generated UUID', () => {
  const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it('is of version 8 and sorts by time', () => {
    const [earlier, later] = [newUuid(1_700_000_000_000), newUuid(1_700_000_000_001)];
    expect(earlier).toMatch(shape);
    expect(asUuid(later)).toBe(later);
    expect(earlier < later).toBe(true);
    expect(newUuid(1_700_000_000_000)).not.toBe(earlier);
  });

  it('is the same for the same text', () => {
    expect(derivedUuid('a')).toMatch(shape);
    expect(derivedUuid('a')).toBe(derivedUuid('a'));
    expect(derivedUuid('b')).not.toBe(derivedUuid('a'));
  });
});
