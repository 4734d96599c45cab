import { expect, it } from 'vitest';
import { visibleName } from './visible-name.ts';

it.each([
  ['plain name', 'plain name'],
  ['émoji 😀', 'émoji 😀'],
  ['hidden\u200Btext', 'hidden\\u{200b}text'],
  ['turned\u202Eround', 'turned\\u{202e}round'],
  ['line\nbreak', 'line\\u{a}break'],
  ['x'.repeat(130), `${'x'.repeat(120)}…`],
])('%j is shown as %j', (name, shown) => {
  expect(visibleName(name)).toBe(shown);
});
