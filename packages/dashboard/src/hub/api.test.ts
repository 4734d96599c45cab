import { expect, it } from 'vitest';
import { eventsPath } from './api.ts';

it('requests the newest events with the given parts of the filter only', () => {
  expect(eventsPath({})).toBe('/api/events?last=500');
  const filter = { server: 'notes', type: '', uri: 'note://a&b', from: '2026-06-01T00:00:00Z', until: '' };
  expect(eventsPath(filter)).toBe(
    '/api/events?last=500&server=notes&from=2026-06-01T00%3A00%3A00Z&q=note%3A%2F%2Fa%26b',
  );
});
