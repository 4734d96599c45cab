import { expect, it } from 'vitest';
import { serverFor } from './server-for.ts';

const resources = [
  { serverId: 'a', uri: 'note://1' },
  { serverId: 'b', uri: 'file:///x' },
];
const known = [
  {
    serverId: 'c',
    templates: [
      { name: 'note', uriTemplate: 'note://{folder}/{name}' },
      { name: 'vcon', uriTemplate: 'vcon://{+rest}' },
    ],
  },
];

it('finds the server that lists a URI, then one with a template for it, then one with its scheme', () => {
  expect(serverFor('note://1', resources, known)).toBe('a');
  expect(serverFor('note://office/2', resources, known)).toBe('c');
  expect(serverFor('vcon://v1/vcons/x', resources, known)).toBe('c');
  expect(serverFor('note://7', resources, known)).toBe('a');
  expect(serverFor('nope://7', resources, known)).toBeUndefined();
});
