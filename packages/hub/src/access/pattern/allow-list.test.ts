import { describe, expect, it } from 'vitest';
import { AllowList, isUselessPattern } from './allow-list.ts';
import { type ParsedTemplate, parseTemplate } from '@tidings/client/contract';

const list = new AllowList(['note://a', 'docs://corp/public/**', 'vcon://*']);

function template(text: string): ParsedTemplate {
  const parsed = parseTemplate(text);
  if (parsed === undefined) throw new Error(`${text} is not a template.`);
  return parsed;
}

describe('an allow list', () => {
  it.each([
    ['note://a', true],
    ['note://ab', false],
    ['docs://corp/public/x/y', true],
    ['docs://corp/private/x', false],
    ['vcon://1', true],
    ['vcon://1/parties', false],
  ])('%s: %s', (uri, isOpen) => {
    expect(list.opens(uri)).toBe(isOpen);
    // From the cache.
    expect(list.opens(uri)).toBe(isOpen);
  });

  it.each([
    'docs://corp/public/../private/x',
    'docs://corp/public/%2e%2e/private/x',
    'docs://corp/public/..%2fprivate',
  ])('does not match %s, which a server may read as another URI', (uri) => {
    expect(list.opens(uri)).toBe(false);
  });

  it('covers a template if it matches every URI of it', () => {
    expect(list.covers(template('docs://corp/public/{file}'))).toBe(true);
    expect(list.covers(template('docs://corp/{area}/x'))).toBe(false);
  });

  it('touches a template if it may match one URI of it', () => {
    expect(list.touches(template('docs://corp/{area}/x'))).toBe(true);
    expect(list.touches(template('docs://other/{area}'))).toBe(false);
  });

  it('matches no URI without patterns', () => {
    expect(new AllowList([]).opens('note://a')).toBe(false);
  });
});

it('with a pattern with a dot segment matches no URI', () => {
  expect(isUselessPattern('docs://a/../b/*')).toBe(true);
  expect(isUselessPattern('docs://a/b/*')).toBe(false);
});
