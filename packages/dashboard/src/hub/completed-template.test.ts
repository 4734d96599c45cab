import { expect, it } from 'vitest';
import { completedTemplate } from './completed-template.ts';

it('finds the variable in which the beginning of a URI ends', () => {
  const template = 'x://{a}/in/{b}';
  expect(completedTemplate(template, 'x://fi')).toEqual({ variable: 'a', value: 'fi', before: 'x://' });
  expect(completedTemplate(template, 'x://first/in/')).toEqual({ variable: 'b', value: '', before: 'x://first/in/' });
  expect(completedTemplate(template, 'y://')).toBeUndefined();
  expect(completedTemplate(template, 'x://a/out')).toBeUndefined();
});
