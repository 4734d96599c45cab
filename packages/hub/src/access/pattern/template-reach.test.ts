import { type ParsedTemplate, parseTemplate, patternParts } from '@tidings/client/contract';
import { describe, expect, it } from 'vitest';
import { AllowList } from './allow-list.ts';
import { overlap } from './template-reach.ts';

function parsed(text: string): ParsedTemplate {
  const template = parseTemplate(text);
  if (template === undefined) throw new Error(`${text} is no template`);
  return template;
}

describe('a template and a pattern', () => {
  it.each([
    ['note://{name}', 'note://a*', true],
    ['note://{name}', 'note://a/*', false],
    ['note://{+name}', 'note://a/*', true],
    ['note://{name}', 'other://**', false],
    ['a://x/{id}/private', 'a://x/*/public', false],
    ['a://x/{id}/private', 'a://x/**', true],
    ['vcon://recent{/limit}', 'vcon://recent', true],
    ['vcon://recent{/limit}', 'vcon://recently', true],
    ['note://fixed', 'note://fix*', true],
    ['note://fixed', '**', true],
  ])('%s and %s have a URI in common: %s', (template, pattern, expected) => {
    expect(overlap(parsed(template).parts, patternParts(pattern))).toBe(expected);
  });

  it.each([
    ['note://{name}', 'note://*', true],
    ['note://{name}', 'note://a*', false],
    ['note://{+name}', 'note://*', false],
    ['note://{+name}', 'note://**', true],
    ['vcon://recent{/limit}', 'vcon://recent**', true],
    ['vcon://recent{/limit}', 'vcon://recent/*', false],
    ['a://{x}/b', 'a://*/b', true],
  ])('of %s, %s opens all: %s', (template, pattern, expected) => {
    expect(new AllowList([pattern]).covers(parsed(template))).toBe(expected);
  });
});
