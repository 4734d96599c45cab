import { expect, test } from 'vitest';
import { resourceAt } from './gateway-address.ts';

test('the resource at an address of the gateway', () => {
  expect(resourceAt('tidings://notes/note%3A%2F%2FZ%C3%BCrich')).toEqual({ serverId: 'notes', uri: 'note://Zürich' });
  expect(resourceAt('note://1')).toBeUndefined();
});

test('a malformed escape', () => {
  expect(resourceAt('tidings://notes/note%3A%2F%2F100%')).toEqual({ serverId: 'notes', uri: 'note%3A%2F%2F100%' });
});
