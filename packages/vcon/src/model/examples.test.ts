import { expect, test } from 'vitest';
import { accept } from './accept.ts';
import { exampleNames, exampleOf } from './examples.ts';
import { newUuid } from './uuid.ts';

test.each(exampleNames)('the example %s follows the format', (name) => {
  const now = new Date('2025-11-01T00:00:00Z');
  const example = exampleOf(name, { uuid: newUuid(now.getTime()), now });
  expect(accept(example, { now, strict: true }).warnings).toEqual([]);
});
